/**
 * What a principal may do: send, receive, or delete queues and look at everything.
 *
 * @example
 * ```ts
 * ROLES.join()    // 'produce,consume,admin'
 * ```
 */
export const ROLES = ['produce', 'consume', 'admin'] as const

/**
 * One of {@link ROLES}.
 *
 * @example
 * ```ts
 * const mayRead: Role = 'consume'
 * ```
 */
export type Role = (typeof ROLES)[number]

/**
 * A party known to the server.
 *
 * @example
 * ```ts
 * const shop: Principal = { name: 'shop', roles: new Set(['produce']) }
 * ```
 */
export interface Principal {
  readonly name: string
  readonly roles: ReadonlySet<Role>
}
