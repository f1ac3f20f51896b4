import { checksOf } from '../row-check.js'

/** What a consumer held, when its subscription is deleted and when its lease ends. */
export const LEASE_ROWS = checksOf(String.raw`
lease.deletion-hands-over: lease.delete.hands-over lease.delete.all lease.delete.waits lease.reassign
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  ack A m1; end A
  subscribe B to a
  ! read B

lease.deletion-hands-over-to-waiting: lease.delete.hands-over lease.delete.all lease.delete.only lease.reassign ack.final.deleted
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  ack A m1; subscribe B to a; end A
  ! read B; read B

lease.deletion-of-unread: lease.delete.hands-over lease.delete.all consume.delivered
  create a; subscribe A to a; send m1 m2 m3 to a
  end A
  subscribe B to a
  ! read B

lease.deleted-receives-nothing: subscribe.delete.unreadable consume.delivered
  create a; subscribe A to a; subscribe B to a; read A
  end A
  send m1..m4 to a
  ! read B

lease.deletion-to-exactly-one: lease.reassign consume.exactly-one lease.delete.hands-over consume.delivered
  create a; send m1..m4 to a; subscribe A to a; read A
  subscribe B to a; subscribe C to a
  end A
  ! together: read B | read C
  read B; read C
  subscribe D to a; subscribe E to a
  end B; end C
  together: read D | read E
  read D; read E

lease.deletion-hands-over-again: lease.delete.again-ackable lease.reassign lease.delete.hands-over ack.status ack.final.same
  create a; send m1 m2 to a; subscribe A to a; read A
  end A
  ! subscribe B to a; read B
  end B
  subscribe C to a; read C
  ack C m1
  read C

lease.redelivered-often: lease.redelivered-often lease.redelivered-as-one lease.delete.hands-over consume.entries browse.pending.held browse.queue.entries send.step-2.one-message
  create a; send m1 to a
  ! subscribe A to a; read A
  end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A
  end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A
  end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A
  end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A; end A; subscribe A to a; read A
  end A; subscribe A to a; read A
  browse a

lease.deletion-of-several-queues: lease.delete.hands-over lease.delete.all
  create a; send m1 to a; create b; send n1 to b; create c; send k1 to c
  subscribe A to a,b,c; read A
  end A
  subscribe B to a,b,c
  ! read B

lease.deletion-over-wildcard: lease.delete.hands-over lease.delete.all
  create a/b; send m1 to a/b; create a/c; send n1 to a/c
  subscribe A to a/*; read A
  end A
  subscribe B to a/b,a/c
  ! read B

lease.deletion-of-guid-sends: lease.delete.hands-over lease.delete.all
  create a; send m1 to a by guid; subscribe A to a; read A
  end A
  subscribe B to a
  ! read B

lease.deletion-of-many: lease.delete.all lease.delete.hands-over
  create a; send m1..m10 to a; subscribe A to a; read A
  end A
  subscribe B to a
  ! read B

lease.deletion-of-forty: lease.delete.all lease.delete.hands-over
  create a; send m1..m40 to a
  ! subscribe C to a prefetch 5; read C; end C; subscribe A to a prefetch 40; read A
  end A
  subscribe B to a prefetch 40
  read B

lease.handed-over-is-pending: browse.pending.held browse.queue.entries send.step-2.one-message
  create a; send m1 m2 to a; subscribe A to a; read A
  end A
  subscribe B to a; read B
  ! browse a; request HEAD B; browse a; read B

lease.handed-over-bodies: send.body.crlf send.body.unicode lease.delete.hands-over
  create a; send m1 to a body "{14}\r\nsecond\rthird\n \t"; send m2 to a body "é ß 漢字 \ud83e\udd8a {14}"; subscribe A to a; read A
  end A
  subscribe B to a
  ! read B

lease.handed-over-bytes: send.body.binary lease.delete.hands-over
  create a; send m1 to a every byte; subscribe A to a; read A
  end A
  subscribe B to a
  ! read B

lease.handed-over-empty: lease.delete.hands-over send.body.empty
  create a; send m1 to a empty; send m2 to a; subscribe A to a; read A
  end A
  subscribe B to a
  ! read B

lease.refusal-takes-nothing: lease.ended-gives-nothing-more browse.pending.held consume.repeat consume.exactly-one
  create a; send m1 to a; subscribe A to a; read A
  end A by each
  subscribe B to a; read B
  ! ack A m1
  browse a; subscribe C to a; read C; read B

lease.handed-over-makes-room: prefetch.refill consume.delivered lease.delete.again-ackable ack.status ack.final.same
  create a; send m1 m2 to a; subscribe A to a; read A
  end A
  subscribe B to a prefetch 2; read B
  ! ack B each
  send m3 m4 to a; read B

lease.deleted-gives-nothing-more: lease.ended-gives-nothing-more consume.exactly-one consume.repeat
  create a; send m1 m2 to a; subscribe A to a; read A
  end A
  subscribe B to a; read B; subscribe C to a
  ! read A; end A; read A
  read C; read B

lease.deletion-of-every-kind: lease.delete.hands-over consume.entries send.step-2.one-message lease.delete.again-ackable ack.status browse.pending.acknowledged
  create a; send m1 to a by each; create b; delete b; create b; send m2 to b by each
  subscribe A to a,b; read A; read A; read A
  end A
  subscribe B to a,b
  ! read B
  ack B each
  end B; browse a; browse b

lease.deletion-of-a-large-message: lease.delete.hands-over
  create a; send m1 m2 to a size 70k; subscribe A to a; read A
  end A
  subscribe B to a
  ! read B

lease.deletion-of-what-two-destinations-cover: lease.delete.hands-over consume.entries send.step-2.one-message
  create a/b; send m1 m2 to a/b; subscribe A to a/*,a/b; read A
  end A
  subscribe B to a/b
  ! read B

lease.expiry-of-many: lease.expiry.all lease.expiry.hands-over
  create a; send m1..m10 to a; subscribe A to a; read A
  wait end of A
  subscribe B to a
  ! read B

lease.expiry-of-forty: lease.expiry.all lease.expiry.hands-over
  create a; send m1..m40 to a; subscribe A to a prefetch 40; read A
  wait end of A
  subscribe B to a prefetch 40
  ! read B

lease.expiry-of-seventy: lease.expiry.all lease.expiry.hands-over
  create a; send m1..m70 to a; subscribe A to a prefetch up to 70; read A
  wait end of A
  subscribe B to a prefetch up to 70
  ! read B

lease.expiry-of-a-long-one: lease.expiry.hands-over lease.expiry.not-early consume.exactly-one
  create a; send m1 to a; subscribe A to a timeout 90s; read A
  wait late
  ! subscribe B to a; read B

lease.deletion-hands-over-to-every-kind: lease.delete.hands-over one-at-a-time.next batch.lock single-path.consume
  create a; send m1 m2 m3 to a; subscribe A to a; read A; join C to a; join D to a
  end A
  ! next C; lock D 1; take a

lease.deletion-hands-over-to-next-message: lease.delete.hands-over one-at-a-time.next
  create a; send m1 to a; subscribe A to a; read A; join C to a
  end A
  ! next C

lease.deletion-hands-over-to-lock-calls: lease.delete.hands-over batch.lock
  create a; send m1 to a; subscribe A to a; read A; join C to a
  end A
  ! lock C 2

lease.deletion-hands-over-to-single-path: lease.delete.hands-over single-path.consume
  create a; send m1 to a; subscribe A to a; read A
  end A
  ! take a

lease.expiry-hands-over: lease.expiry.hands-over lease.expiry.all lease.expiry.ends lease.expires lease.reassign
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  wait end of A
  subscribe B to a
  ! read B

lease.expiry-hands-over-to-waiting: lease.expiry.hands-over lease.expiry.all lease.expiry.no-request
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  wait part of A; subscribe B to a
  wait end of A
  ! read B

lease.expiry-in-silence: lease.expiry.in-silence lease.expiry.hands-over alone
  create a; send m1 m2 m3 to a
  wait late
  subscribe A to a; read A
  wait part of A; subscribe B to a
  wait end of A
  ! read B

lease.expiry-after-acks: lease.expiry.hands-over consume.delivered
  create a; create b; create c; send m1..m4 to c; subscribe A to a,b,c; read A; subscribe D to c; end D
  ack A m1 m2 m3
  wait end of A
  subscribe B to c
  ! read B

lease.active-without-one-of-its-queues: lease.active lease.expiry.not-early consume.status consume.delivered
  create a; create b; subscribe A to a,b; read A
  ! delete a; wait part of A; send m1 to b; read A

lease.renewed-often: lease.active lease.expiry.not-early consume.status
  create a; send m1 to a; subscribe A to a; read A
  together: read A | read A | read A | read A | read A; together: read A | read A | read A | read A | read A
  ! wait part of A; read A; wait part of A; read A
  wait part of A; read A; wait part of A; read A; wait part of A; read A

lease.renewed-by-a-wildcard: lease.active lease.expiry.not-early consume.status
  create a/b; send m1 to a/b; subscribe A to a/*; read A
  ! wait part of A; read A; wait part of A; read A; wait part of A; read A; wait part of A; read A

lease.expiry-of-unread: lease.expiry.ends lease.expiry.hands-over lease.from-creation consume.delivered
  create a; subscribe A to a; send m1..m4 to a
  wait end of A
  subscribe B to a
  ! read B

lease.unread-becomes-unreadable: lease.expiry.unreadable lease.from-creation
  create a; subscribe A to a
  wait end of A
  ! read A

lease.ended-receives-nothing: lease.expiry.ends lease.expires consume.delivered lease.expiry.hands-over
  create a; subscribe A to a; read A
  wait end of A
  send m1..m4 to a; subscribe B to a
  ! read B

lease.active-until-end: lease.active lease.from-creation consume.status
  create a; subscribe A to a
  wait part of A
  ! read A

lease.not-early: lease.expiry.not-early lease.active consume.exactly-one consume.status consume.repeat
  create a; send m1 m2 m3 to a; subscribe A to a; read A
  wait part of A; subscribe B to a
  ! read B; read A

lease.claimed-renewal: lease.active lease.expiry.not-early consume.status consume.exactly-one consume.repeat
  create a; send m1 to a; create b; create c; send k1 k2 to c
  subscribe A to a prefetch 1; subscribe B to b; subscribe C to c; read A; read C
  wait part; together: read A | read B | ack C k1
  wait part; together: read A | read B | read C
  wait part; subscribe D to a,c
  ! read D; together: read A | read B | read C

lease.expiry-loses-nothing: lease.expiry.all browse.pending.held browse.queue.entries
  create a; send m1 m2 m3 to a; subscribe A to a; read A; browse a
  wait end of A; wait part of A
  ! browse a

lease.expiry-spares-neighbours: lease.expiry.hands-over consume.entries consume.repeat
  create a; send m1 m2 to a; subscribe A to a prefetch 2; read A; send m3 to a
  wait part of A; subscribe B to a; read B
  wait end of A
  ! read B; read B

lease.expiry-of-every-kind: lease.expiry.hands-over
  create a; send m1 to a by each; create b; delete b; create b; send m2 to b size 70k
  subscribe A to a,b; read A; read A; read A
  wait end of A
  subscribe B to a,b
  ! read B

lease.redelivered-often-by-expiry: lease.pending-however-often lease.redelivered-as-one lease.delete.again-ackable lease.expiry.hands-over consume.entries ack.status browse.pending.held browse.queue.entries browse.pending.acknowledged send.step-2.one-message
  create a; send m1 to a; subscribe A to a; read A
  wait end of A
  subscribe B to a
  ! read B
  wait end of B; subscribe C to a; read C
  wait end of C; subscribe D to a; read D
  browse a; ack D each; browse a

lease.expired-gives-nothing-more: lease.ended-gives-nothing-more consume.exactly-one consume.repeat
  create a; send m1 m2 to a; subscribe A to a; read A
  wait end of A
  subscribe B to a; read B; subscribe C to a
  ! read A; end A; read A
  read C; read B

lease.others-renew-nothing: lease.expiry.despite-others lease.expiry.hands-over
  create a; send m1 m2 to a; subscribe A to a prefetch 2; read A; subscribe B to a; send m3 to a; read B
  wait part of A; together: ack B each | read B | browse a | subscribe C to a | send m4 to a
  ! wait part of A; together: end C | end B | send m5 to a | browse a; subscribe B to a; read B; ack B each
  wait part of A; together: end B | send m6 to a | browse a; subscribe B to a; read B; ack B each
  wait part of A; together: end B | send m7 to a | browse a; subscribe B to a; read B; ack B each
  wait end of A; end B; subscribe B to a; read B

lease.expiry-after-readings: lease.expiry.hands-over lease.expiry.all
  create a; create b; send m1 m2 to a; subscribe A to a,b prefetch 2
  read A; read A; read A; read A; read A; subscribe B to a
  wait end of A
  ! read B; browse a

lease.expiry-with-a-selector: lease.expiry.hands-over lease.expiry.all
  create a; send m1 m2 to a with colour red; subscribe A to a selector colour = 'red'; read A; subscribe B to a
  wait end of A
  ! read B; browse a

lease.deletion-of-a-wildcard-with-a-selector: lease.delete.hands-over browse.queue.entries send.step-2.one-message
  create a/b; send m1 m2 to a/b by each with colour red; subscribe A to a/* selector colour = 'red'; read A
  end A
  ! browse a/b; subscribe B to a/b; read B

lease.expiry-over-wildcard: lease.expiry.hands-over lease.expiry.all
  create a/b; create a/c; send m1 to a/b; send m2 to a/c; subscribe A to a/*; read A; subscribe B to a/b,a/c
  wait end of A
  ! read B; browse a/b

lease.sends-renew-nothing: lease.expiry.despite-others lease.expiry.hands-over
  create a; send m1 to a; subscribe A to a prefetch 1 timeout 2s; read A; subscribe B to a timeout 20s; read A
  advance 1s; send m2 to a; repeat m1; create a; browse a; advance 1500ms; send m3 to a; repeat m1; create a; browse a
  advance 1700ms
  ! send m4 to a; repeat m1; create a; browse a; read B

lease.renewed-by-reading: lease.renew.read answers 200 as renewed-by-reading
  create a; subscribe A to a
  wait part of A; read A; wait part of A
  ! read A

lease.renewed-by-acks: lease.renew.ack answers 200 as renewed-by-acks
  create a; send m1 to a; subscribe A to a; read A
  wait part of A; ack A m1; wait part of A
  ! read A

lease.ended-gone: lease.gone answers 410 as ended-subscription
  create a; send m1 to a; subscribe A to a; read A
  wait end of A
  subscribe B to a; read B
  ! read A

lease.deleted-gone: lease.gone answers 410 as repeated-subscription-delete
  create a; subscribe A to a
  end A
  ! end A

lease.deleted-feed-gone: lease.gone answers 410 as deleted-subscription
  create a; subscribe A to a
  end A
  ! read A

lease.unknown: lease.unknown answers 404 as unknown-subscription
  create a; subscribe A to a; read A
  ! request GET beside A
`)
