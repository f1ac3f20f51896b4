import type { Subscription } from '../../broker/entities.js'

/**
 * What a person calls a lease: the id that a consumer has chosen, or letters in the order of their beginning since
 * the start or the last reset: `A`, `B`, …, `Z`, `AA`. So the same test calls it the same each time.
 */
export function nameOfLease({ id, kind, ordinal }: Pick<Subscription, 'id' | 'kind' | 'ordinal'>): string {
  if (kind === 'consumer') return id
  let name = ''
  for (let left = ordinal; left > 0; left = Math.floor((left - 1) / 26)) {
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  }
  return name
}

/** The id that state and journal show: leases of two kinds may have the same. */
export function idOfLease({ id, kind }: Pick<Subscription, 'id' | 'kind'>): string {
  return kind === 'subscription' ? id : `${kind}:${id}`
}
