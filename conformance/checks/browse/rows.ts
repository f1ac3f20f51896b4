import { checksOf } from '../row-check.js'

/** Feeds of queues with as much in them, and as much behind them, as real ones have. */
export const BROWSE_ROWS = checksOf(`
browse.after-many-acks: browse.queue.entries browse.pending.held browse.pending.acknowledged
  create a; send m1..m340 to a; subscribe A to a prefetch 100
  read A; ack A each mixed; read A; ack A each mixed; read A; ack A each mixed
  ! browse a

browse.of-mebibytes: browse.queue.entries browse.pending.held
  create a; send m1..m45 to a size 100k
  ! browse a
`)
