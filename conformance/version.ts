import { readFileSync } from 'node:fs'

/**
 * The kit's name, as on the command line.
 *
 * @example
 * ```ts
 * KIT    // 'atom-mq-conformance'
 * ```
 */
export const KIT = 'atom-mq-conformance'

/**
 * The kit's version, from its package.
 *
 * @example
 * ```ts
 * const line = `${KIT} ${VERSION}`
 * ```
 */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** What it judges by. */
export const DOCUMENT = 'Message Queue REST Interface'
