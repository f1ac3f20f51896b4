/** What a principal may do: send, receive, or delete queues and look at everything. */
export const ROLES = ['produce', 'consume', 'admin'] as const

export type Role = (typeof ROLES)[number]

/** A party known to the server. */
export interface Principal {
  readonly name: string
  readonly roles: ReadonlySet<Role>
}
