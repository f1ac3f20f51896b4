import { checksOf } from '../row-check.js'

/** Acknowledging: that message, no other, and once and for all. */
export const ACK_ROWS = checksOf(`
ack.succeeds: ack.status
  create a; send m1 to a; subscribe A to a; read A
  ! ack A m1

ack.leaves-feed: ack.leaves-feed ack.delete ack.only-that ack.final.same consume.repeat
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  ack A m2
  ! read A

ack.leaves-queue: ack.leaves-queue ack.only-that browse.pending.acknowledged browse.pending.held browse.queue.entries
  create a; send m1 m2 m3 to a; subscribe A to a; read A; browse a
  ack A m2
  ! browse a

ack.any-order: ack.any-order ack.only-that ack.status ack.final.same consume.repeat
  create a; send m1..m10 to a; subscribe A to a prefetch 10; read A
  ! ack A last; read A
  ack A each mixed; read A

ack.equal-bodies: ack.only-that consume.repeat browse.queue.entries browse.pending.held
  create a; send m1 to a; send m2 to a like m1; subscribe A to a; read A
  ack A 1st
  ! read A; browse a
  ack A 1st; read A; browse a

ack.equal-bodies-that-wait: ack.only-that consume.delivered browse.queue.entries browse.pending.held
  create a; send m1 to a; send m2 to a like m1; send m3 to a like m1; subscribe A to a prefetch 1; read A
  ack A 1st
  ! browse a; read A
  ack A 1st; browse a; read A; ack A 1st; browse a

ack.of-one-of-several-queues: ack.only-that ack.leaves-queue browse.pending.held browse.queue.entries
  create a; create b; subscribe A to a,b; send m1 to a; send n1 to b; read A; read A
  ! ack A n1
  read A; browse a; browse b

ack.parallel: ack.leaves-feed ack.only-that ack.status ack.final.same consume.repeat consume.delivered browse.pending.acknowledged browse.queue.entries
  create a; send m1..m6 to a; subscribe A to a; read A
  ! together: ack A m2 | ack A m3 | ack A m4 | ack A m5 | ack A m6 | send m7 to a by each | send m8 to a by each
  read A; browse a

ack.repeat-harmless: ack.only-that consume.repeat browse.pending.held
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  ack A m2
  ! together: ack A m2 | ack A m2 | ack A m2
  ack A m2; ack A unknown; read A; browse a

ack.however-it-came: ack.leaves-queue ack.final.deleted browse.pending.acknowledged
  create a; send m1 to a by each
  create b; send m2 to b; delete b; create b; send m3 to b
  subscribe A to a,b; read A
  ack A each
  ! browse a; browse b
  end A; browse a; browse b

ack.of-what-is-listed: ack.status
  create a; send m1 m2 to a; create b; send n1 to b; subscribe A to a,b; read A
  delete a; ack A m1
  ! read A

ack.of-a-large-message: ack.leaves-queue browse.pending.acknowledged
  create a; send m1 m2 to a size 70k; subscribe A to a; read A
  ack A m1
  ! browse a; read A

ack.by-a-wildcard: ack.leaves-queue ack.only-that browse.pending.acknowledged browse.pending.held consume.repeat
  create a/b; send m1..m4 to a/b; subscribe A to a/*,a/b; read A
  ack A m1
  ! browse a/b; read A; ack A m4; browse a/b; read A
  end A; browse a/b

ack.of-what-was-released: ack.leaves-queue ack.only-that ack.final.other browse.queue.entries browse.pending.acknowledged queues.create.again.messages
  create a; send m1..m6 to a; subscribe A to a prefetch 2; read A; end A; create a; browse a
  subscribe B to a prefetch 2; read B
  ! ack B 1st; read B; browse a; end B; subscribe C to a; read C; browse a

ack.equal-bodies-released: ack.only-that browse.queue.entries browse.pending.held consume.repeat
  create a; send m1 to a; send m2 to a like m1; subscribe A to a; read A; end A; subscribe B to a prefetch 1; read B
  ! ack B 1st; browse a; read B; ack B 1st; browse a

ack.final-for-its-consumer: ack.final.same
  create a; send m1 to a; subscribe A to a; read A
  ack A m1
  send m2 to a
  ! read A; read A

ack.final-for-others: ack.final.other
  create a; send m1 m2 to a; subscribe A to a prefetch 1; read A
  ack A 1st; read A
  subscribe B to a
  ! read B
  send m3 to a; read B

ack.final-after-deletion: ack.final.deleted ack.only-that lease.delete.only browse.pending.acknowledged
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  ack A m1; browse a
  end A
  subscribe B to a
  ! read B; browse a
  ack B m3; browse a

ack.final-when-others-end: ack.final.other ack.final.same lease.delete.only browse.pending.acknowledged
  create a; send m1 m2 to a; subscribe A to a; read A; subscribe B to a
  ack A m1; browse a; end B
  ! browse a; read A
  subscribe C to a; read C

ack.final-late: ack.final.deleted browse.pending.acknowledged ack.final.other ack.until-end ack.leaves-queue
  create a; send m1 m2 to a; subscribe A to a; read A
  ack A m1
  browse a; end A; create b; send m3 to b; subscribe C to b; read C; wait late
  ! browse a; ack C m3; browse b
  subscribe B to a; read B

ack.final-after-expiry: ack.final.lease lease.expiry.only browse.pending.acknowledged
  create a; send m1 m2 to a; subscribe A to a; read A
  ack A m1
  wait end of A
  subscribe B to a
  ! read B; read B; browse a

ack.of-a-queue-that-was-made-again: ack.only-that browse.pending.held browse.queue.entries
  create a; send m1 to a; subscribe A to a; read A; delete a; create a; send m2 to a; browse a
  ! ack A m1; browse a

ack.late-in-its-lease: ack.until-end ack.status ack.final.lease browse.pending.acknowledged
  create a; send m1 m2 to a; subscribe A to a; read A; browse a
  wait part of A
  ! ack A m1; browse a
  wait end of A
  subscribe B to a; read B; read B; browse a

ack.repeat: ack.repeat answers 200 as repeated-ack
  create a; send m1 to a; subscribe A to a; read A
  ack A m1
  ! ack A m1

ack.late: ack.late answers 410 as late-ack
  create a; send m1 to a; subscribe A to a; read A
  wait end of A
  subscribe B to a; read B
  ! ack A m1
  read B

ack.after-deletion: ack.late.deleted answers 410 as ack-after-deletion
  create a; send m1 to a; subscribe A to a; read A
  end A
  subscribe B to a; read B
  ! ack A m1
  read B

ack.unknown: ack.unknown answers 404 as unknown-ack
  create a; send m1 to a; subscribe A to a; read A
  ! ack A unknown
`)
