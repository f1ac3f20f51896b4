import type { Subscription } from '../../broker/subscription.js'

/**
 * What a person calls a lease: the id that a consumer has chosen, or letters in the order of their beginning since
 * the start or the last reset: `A`, `B`, …, `Z`, `AA`. So the same test calls it the same each time.
 */
export function nameOfLease({ id, ordinal }: Pick<Subscription, 'id' | 'ordinal'>): string {
  if (id.startsWith('consumer:')) return id.slice('consumer:'.length)
  let name = ''
  for (let left = ordinal; left > 0; left = Math.floor((left - 1) / 26)) {
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  }
  return name
}
