import { checksOf } from '../row-check.js'

/** Acknowledgements in the body of a POST: to a subscription, or in a lock call. */
export const ACK_IN_POST_ROWS = checksOf(`
ack-in-post.acknowledges: ack-in-post.acknowledges ack-in-post.only ack-in-post.final ack.final.same consume.repeat batch.fetch browse.pending.acknowledged browse.pending.held browse.queue.entries
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  ! ack A m1 m3 and read; browse a
  ack A m1 m3 and read; read A
  or
  create a; send m1 m2 m3 to a; join A to a; lock A 3; lock A 3; lock A 3
  ! ack A m1 m3 and lock 1; browse a
  ack A m1 m3 and lock 1; fetch A m2

ack-in-post.newer-ones-first: ack-in-post.acknowledges ack-in-post.only browse.pending.acknowledged
  create a; send m1..m4 to a; subscribe A to a; read A
  ! ack A m1 and read; ack A m4 m3 and read; browse a
  ack A m4 m3 and read; read A
  or
  create a; send m1..m4 to a; join A to a; lock A 4; lock A 4; lock A 4; lock A 4
  ! ack A m1 and lock 1; ack A m4 m3 and lock 1; browse a
  ack A m4 m3 and lock 1; fetch A m2

ack-in-post.many: ack-in-post.acknowledges ack-in-post.final ack.final.same browse.pending.acknowledged
  create a; send m1..m60 to a; subscribe A to a prefetch up to 60; read A
  ! ack A 1st and read; browse a; ack A last and read; browse a; ack A each and read; browse a; read A
  or
  create a; send m1..m60 to a; join A to a; lock A 60; lock A 60
  ! ack A 1st and lock 1; browse a; ack A last and lock 1; browse a; ack A each and lock 1; browse a

ack-in-post.makes-room: consume.delivered prefetch.cap ack-in-post.acknowledges browse.pending.acknowledged
  create a; send m1..m8 to a; subscribe A to a prefetch 2; read A
  ! ack A each and read; ack A each and read; ack A each and read; read A; browse a
  or
  create a; send m1..m8 to a; join A to a; lock A 2
  ! ack A each and lock 2; ack A each and lock 2; ack A each and lock 2; browse a

ack-in-post.of-every-kind: ack-in-post.acknowledges ack-in-post.final ack.final.same browse.pending.acknowledged
  create a; create b; subscribe A to a,b; send m1 m2 to a by each; send m3 to b by each; read A
  ! ack A each and read; end A; browse a; browse b
  or
  create a; create b; join A to a; join A to b; send m1 m2 to a by each; send m3 to b by each; lock A 4; lock A 4
  ! ack A each and lock 1; browse a; browse b

ack-in-post.of-a-large-message: ack-in-post.acknowledges ack-in-post.final ack.final.same browse.pending.acknowledged
  create b; delete b; create b; subscribe A to b; send m1 to b; send m2 to b size 66k; read A
  ! ack A each and read; end A; browse b
  or
  create b; delete b; create b; join A to b; send m1 to b; send m2 to b size 66k; lock A 4; lock A 4
  ! ack A each and lock 1; browse b

ack-in-post.by-a-wildcard: ack-in-post.acknowledges ack-in-post.final ack.final.same browse.pending.acknowledged
  create c; send n1 n2 to c; subscribe B to c prefetch 1; read B; ack B n1 and read; read B
  create a/b; subscribe A to a/*,a/b; send m1..m4 to a/b; read A
  ! ack A each and read; end A; browse a/b
  or
  create a/b; send m1..m4 to a/b; join A to a/b; lock A 4; lock A 4
  ! ack A each and lock 1; browse a/b

ack-in-post.final: ack-in-post.final ack.final.same ack.final.other
  create a; send m1 m2 to a; subscribe A to a prefetch 2; read A
  ack A each and read
  subscribe B to a; send m3 to a
  ! read B; read A
  or
  create a; send m1 m2 to a; join A to a; lock A 2; lock A 2
  ack A each and lock 1; browse a
  join B to a; send m3 to a
  ! lock B 3; lock A 3

ack-in-post.next-batch: ack-in-post.next-batch prefetch.cap batch.max ack.final.same
  create a; send m1..m6 to a; subscribe A to a prefetch 2; read A
  ! ack A each and read; read A; ack A each and read; read A; ack A each and read; read A
  or
  create a; send m1..m6 to a; join A to a; lock A 2
  ! ack A each and lock 2; browse a; lock A 2; ack A each and lock 2; lock A 2; ack A each and lock 2; lock A 2

ack-in-post.repeats-make-no-room: ack-in-post.next-batch prefetch.cap.after-acks prefetch.cap
  create a; send m1 to a; subscribe A to a prefetch 1; read A; send m2 m3 to a
  ! ack A m1 and read; ack A m1 and read; read A
  or
  create a; send m1 m2 m3 to a; join A to a; lock A 1
  ! ack A m1 and lock 1; ack A m1 and lock 1; browse a

ack-in-post.subscription: ack-in-post.subscription shows m2 as acks-posted-to-a-subscription
  create a; send m1 to a; subscribe A to a prefetch 1; read A; send m2 to a
  ! ack A m1 and read

ack-in-post.repeated: ack-in-post.subscription answers 200 as acks-posted-again
  create a; send m1 m2 to a; subscribe A to a prefetch 1; read A; ack A m1 and read
  ! ack A m1 and read
`)
