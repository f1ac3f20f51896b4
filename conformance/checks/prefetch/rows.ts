import { checksOf } from '../row-check.js'

/** The prefetch of consumers: never more, as many as that, and each its own. */
export const PREFETCH_ROWS = checksOf(`
prefetch.backlog: prefetch.cap.at-once prefetch.cap prefetch.asked consume.repeat
  create a; send m1..m6 to a; create b; send n1..n6 to b
  subscribe A to a prefetch 1; subscribe B to b prefetch 3
  ! read A; read B; read A; read B

prefetch.large: prefetch.cap prefetch.asked
  create a; send m1..m28 to a; subscribe A to a prefetch 24
  ! read A; read A

prefetch.of-fifty: prefetch.cap prefetch.asked
  create a; send m1..m53 to a; subscribe A to a prefetch 50
  ! read A; ack A 7th; read A

prefetch.one-by-one: prefetch.cap.one-by-one prefetch.cap prefetch.asked consume.repeat
  create a; subscribe A to a prefetch 1; send m1 to a; read A
  ! send m2 to a; read A
  send m3 to a; read A; read A

prefetch.burst: prefetch.cap prefetch.asked consume.repeat
  create a; subscribe A to a prefetch 3
  ! send m1..m13 to a; read A; read A

prefetch.parallel: prefetch.cap.parallel prefetch.cap consume.repeat
  create a; send m1..m4 to a; subscribe A to a prefetch 2
  ! together: read A | read A | read A | read A | send m5 to a
  read A; read A

prefetch.destinations: prefetch.cap.destinations prefetch.cap consume.repeat
  create a; send m1 m2 m3 to a; create b; send n1 n2 n3 to b; create c; send k1 k2 to c
  subscribe A to a,b,c prefetch 2
  ! read A
  send m4 to a; send n4 to b; read A; read A

prefetch.over-selector: prefetch.cap prefetch.asked consume.repeat
  create a; send m1..m4 to a with colour red; send n1 n2 to a with colour blue
  subscribe A to a prefetch 2 selector colour = 'red'
  ! read A; read A
  send m5 to a with colour red; ack A 1st; read A; read A

prefetch.read-often: prefetch.cap consume.repeat
  create a; send m1..m4 to a; subscribe A to a prefetch 2; read A
  ! read A; read A; read A; read A; read A; read A; read A; read A; read A; read A; read A; read A
  ack A 1st; read A

prefetch.kept-late: prefetch.cap consume.repeat consume.exactly-one
  create a; subscribe A to a prefetch 2; send m1..m4 to a; read A
  wait late
  ! subscribe B to a prefetch 1; read B; read A; send m5 to a; read A

prefetch.of-every-size: prefetch.cap prefetch.asked
  create a; send m1..m12 to a
  ! subscribe A to a prefetch 2; read A; end A; subscribe B to a prefetch 4; read B; end B
  subscribe C to a prefetch 5; read C; end C; subscribe D to a prefetch 6; read D; end D
  subscribe E to a prefetch 7; read E; end E; subscribe F to a prefetch 8; read F; end F
  subscribe G to a prefetch 9; read G; end G; subscribe H to a prefetch 10; read H; end H

prefetch.over-wildcard-and-selector: prefetch.cap prefetch.asked subscribe.selector.only consume.repeat
  create a/b; create a/c; send n1 to a/b with colour blue; send m1 m2 to a/b with colour red; send n2 to a/c with colour blue
  send m3 m4 to a/c with colour red; subscribe A to a/* prefetch 2 selector colour = 'red'
  ! read A; read A
  end A; subscribe B to a/* prefetch 1 selector colour = 'red'; read B; ack B each; read B; ack B each; read B

prefetch.over-wildcard: prefetch.cap.destinations prefetch.cap consume.repeat
  create a/b; send m1 m2 m3 to a/b; create a/c; send n1 n2 n3 to a/c
  subscribe A to a/* prefetch 2
  ! read A
  create a/d; send k1 k2 k3 to a/d; read A; read A

prefetch.of-several-wildcards: prefetch.cap prefetch.per-consumer consume.repeat
  create a/b; send m1..m9 to a/b
  subscribe B to a/* prefetch 4; subscribe C to a/* prefetch 1; subscribe A to a/*,a/b prefetch 2
  ! read C; read C; read A; read A; read A; read B; read B

prefetch.of-every-kind: prefetch.cap.destinations prefetch.cap consume.repeat
  create a; send m1 m2 to a by each; create b; delete b; create b; send n1 n2 to b by each
  subscribe A to a,b prefetch 2
  ! read A
  send m3 to a by each; send n3 to b by each; read A
  end A; subscribe B to b prefetch 2; read B; read B

prefetch.of-large-messages: prefetch.cap
  create a; send m1 m2 m3 m4 to a size 66k; subscribe A to a prefetch 2
  ! read A
  send m5 to a size 66k; read A

prefetch.fills: prefetch.fills prefetch.asked prefetch.cap consume.delivered
  create a; send m1..m5 to a; create b; send n1..n4 to b; create c; send k1..k7 to c
  subscribe A to a prefetch 3; subscribe B to b prefetch 6; subscribe C to c prefetch 6
  ! read A; read B; read C

prefetch.fills-to-ten: prefetch.fills prefetch.cap consume.delivered
  create a; send m1..m12 to a; subscribe A to a
  ! read A; read A

prefetch.refill: prefetch.refill prefetch.cap consume.delivered
  create a; send m1..m4 to a; subscribe A to a prefetch 2
  ! read A
  ack A 1st; read A

prefetch.after-acks: prefetch.cap.after-acks prefetch.cap
  create a; send m1..m6 to a; subscribe A to a prefetch 2
  ! read A
  ack A 1st; read A
  ack A 1st; read A; read A

prefetch.after-many-acks: prefetch.cap.after-acks prefetch.cap
  create a; send m1..m10 to a; subscribe A to a prefetch 2
  ! read A
  ack A 1st; read A; ack A last; read A; ack A 1st; read A; ack A 1st; read A
  ack A last; read A; ack A last; read A; ack A 1st; read A; read A

prefetch.acks-at-once: prefetch.cap.after-acks prefetch.cap
  create a; send m1..m12 to a; subscribe A to a prefetch 5
  ! read A
  together: ack A 1st | ack A 2nd | ack A 3rd | ack A 4th | ack A 5th
  read A; read A

prefetch.repeated-ack: prefetch.cap.after-acks prefetch.cap
  create a; send m1..m6 to a; subscribe A to a prefetch 1
  ! read A
  ack A m1; together: ack A m1 | ack A m1
  read A; read A

prefetch.unknown-ack: prefetch.cap
  create a; send m1..m5 to a; subscribe A to a prefetch 2
  ! read A
  ack A unknown; read A; read A

prefetch.after-a-queue-is-deleted: prefetch.cap.destinations prefetch.cap
  create a; create b; send m1 to a; send n1..n5 to b; subscribe A to a,b prefetch 2; read A
  delete a
  ! read A; read A

prefetch.per-consumer: prefetch.per-consumer prefetch.cap consume.delivered
  create a; send m1..m12 to a; subscribe A to a prefetch 2
  ! read A
  subscribe B to a prefetch 4; read B
  ack B each; read B; read A

prefetch.full-does-not-starve: prefetch.full.others prefetch.per-consumer prefetch.cap consume.delivered
  create a; send m1..m5 to a; subscribe A to a prefetch 2
  ! read A
  subscribe B to a; send m6 to a; read B

prefetch.small-beside-a-full-one: prefetch.full.others prefetch.per-consumer prefetch.cap consume.delivered
  create a; subscribe A to a prefetch 3; subscribe B to a prefetch 1; send m1..m7 to a
  ! read A; read B
  ack B each; read B; ack A 1st; read A

prefetch.third-beside-full-ones: prefetch.full.others consume.delivered
  create a; subscribe A to a prefetch 2; subscribe B to a prefetch 2; send m1..m4 to a; read A; read B
  subscribe C to a; send m5 m6 to a
  ! read C

prefetch.idle-does-not-starve: prefetch.full.others consume.delivered
  create a; subscribe A to a prefetch 2; subscribe B to a; send m1..m6 to a
  ! read B

prefetch.released-messages: prefetch.cap lease.reassign
  create a; send m1..m4 to a; subscribe A to a; read A
  subscribe B to a prefetch 2
  end A
  ! read B; read B

prefetch.messages-of-ended-leases: prefetch.cap lease.reassign consume.exactly-one
  create a; send m1..m4 to a; subscribe A to a; read A
  wait end of A
  subscribe B to a prefetch 2
  ! read B; read B

prefetch.fills-again: prefetch.refill prefetch.fills consume.delivered
  create a; subscribe A to a prefetch 2
  ! send m1 m2 to a; read A; ack A each
  send m3 m4 to a; read A; ack A each
  send m5 m6 to a; read A; ack A each
  send m7 m8 to a; read A

prefetch.fills-again-by-a-wildcard: prefetch.refill prefetch.fills consume.delivered
  create a/b; subscribe A to a/* prefetch 2
  ! send m1 m2 to a/b; read A; ack A each
  send m3 m4 to a/b; read A; ack A each
  send m5 m6 to a/b; read A; ack A each
  send m7 m8 to a/b; read A

prefetch.more-than-a-hundred: prefetch.fills prefetch.cap consume.delivered lease.reassign browse.pending.held
  create a; send m1..m135 to a; subscribe A to a prefetch up to 130
  ! read A; end A; subscribe B to a prefetch up to 130; read B; browse a

prefetch.selector: subscribe.selector prefetch.fills consume.delivered
  create a; send m1 m2 m3 to a with colour blue; send m4 to a with colour red
  subscribe A to a prefetch 1 selector colour = 'red'
  ! read A
`)
