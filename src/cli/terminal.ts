/** What a command sees of the world, so that a test can be the world. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** To standard output. */
  print(text: string): void
  /** To standard error. */
  complain(text: string): void
  /** Resolves at the first SIGINT or SIGTERM. */
  readonly stopSignal: Promise<void>
}
