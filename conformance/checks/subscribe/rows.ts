import { checksOf } from '../row-check.js'

/** Selectors beside as many messages, and as large ones, as real queues have. */
export const SUBSCRIBE_ROWS = checksOf(`
subscribe.selector-behind-many: subscribe.selector consume.delivered
  create a; send b1..b500 to a with colour blue; send m1 to a with colour red
  subscribe A to a selector colour = 'red'
  ! read A

subscribe.selector-beside-large-bodies: subscribe.selector.only
  create a; send m1 to a with colour blue size 5k; send m2 to a with colour red size 5k
  subscribe A to a selector colour = 'red'
  ! read A; browse a
`)
