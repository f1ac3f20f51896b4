import { checksOf } from '../row-check.js'

/** One-at-a-time delivery: subscribing, the next message, and its acknowledgement. */
export const ONE_AT_A_TIME_ROWS = checksOf(String.raw`
one-at-a-time.delivers: one-at-a-time.subscribe one-at-a-time.next
  create a
  ! join C to a; send m1 to a; next C

one-at-a-time.backlog: one-at-a-time.subscribe one-at-a-time.next consume.backlog
  create a; send m1 to a; join C to a
  ! next C

one-at-a-time.slash-path: one-at-a-time.subscribe one-at-a-time.next queues.path
  create a/b/c
  ! join C to a/b/c; send m1 to a/b/c; next C

one-at-a-time.acknowledges: one-at-a-time.ack one-at-a-time.next ack.final.same browse.pending.acknowledged browse.pending.held browse.queue.entries
  create a; send m1 m2 to a; join C to a; next C; repeat m1; repeat m2
  ! done C 1st; browse a; next C; done C unknown; browse a

one-at-a-time.all: one-at-a-time.next one-at-a-time.ack one-at-a-time.ack.final ack.final.same
  create a; send m1..m4 to a; send m5 to a by each; join C to a
  ! next C; done C each; next C; done C each; next C; done C each; next C; done C each; next C; done C each; next C

one-at-a-time.destinations: one-at-a-time.subscribe one-at-a-time.next subscribe.destinations.only
  create a; create b; create c; create d; join C to a; join C to b; join C to d
  send m1 to c; send m2 to b; send m3 to a; send m4 to d
  ! next C; done C each; next C; done C each; next C; done C each; next C

one-at-a-time.eight-destinations: one-at-a-time.subscribe one-at-a-time.next
  create a; create b; create c; create d; create e; create f; create g; create h
  join C to a; join C to b; join C to c; join C to d; join C to e; join C to f; join C to g; join C to h
  ! send m1 to h; send m2 to g; send m3 to f; send m4 to e; send m5 to d; send m6 to c; send m7 to b; send m8 to a
  next C; done C each; next C; done C each; next C; done C each; next C; done C each; next C; done C each; next C; done C each; next C; done C each; next C

one-at-a-time.eighth-consumer: one-at-a-time.subscribe one-at-a-time.next
  create a; join C1 to a; join C2 to a; join C3 to a; join C4 to a; join C5 to a; join C6 to a; join C7 to a; join C8 to a
  leave C1 a; leave C2 a; leave C3 a; leave C4 a; leave C5 a; leave C6 a; leave C7 a
  ! send m1 m2 to a; next C8; done C8 each; next C8

one-at-a-time.held-while-others-come-and-go: one-at-a-time.exclusive consume.exactly-one
  create a; send m1 to a; join C to a; next C
  ! create a; join D to a; next D; leave D a; join E to a; next E; next C; subscribe A to a; read A
  or
  create a; send m1 to a; join C to a; lock C 1
  ! create a; join D to a; lock D 1; leave D a; join E to a; lock E 1; subscribe A to a; read A

one-at-a-time.held-on: one-at-a-time.exclusive consume.exactly-one
  create a; send m1 to a; join C to a; next C
  advance 1500ms
  ! subscribe A to a; read A; next C

one-at-a-time.takes-nothing-by-coming-and-going: consume.exactly-one consume.repeat
  create a/b; send m1 m2 to a/b; subscribe A to a/b prefetch 1; subscribe B to a/* prefetch 1; read A; read B
  ! join C to a/b; next C; leave C a/b; subscribe D to a/b; read D; read A; read B

one-at-a-time.of-what-was-released: browse.pending.held ack.leaves-queue browse.pending.acknowledged
  create a; send m1 to a; subscribe A to a; read A; end A; subscribe B to a; read B; end B; join C to a; next C
  ! browse a; done C each; browse a
  or
  create a; send m1 to a; subscribe A to a; read A; end A; subscribe B to a; read B; end B; join C to a; lock C 1
  ! browse a; fetch C m1; browse a; done C each; browse a

one-at-a-time.unsubscribes: one-at-a-time.unsubscribe one-at-a-time.next subscribe.destinations.only
  create a; create b; join C to a; join C to b
  send m1 to a; next C; done C each; send m2 to b; next C; done C each
  ! leave C a; send m3 to a; send m4 to b
  next C; done C each; next C
  join C to a; next C

one-at-a-time.unsubscribes-from-a-neighbour: one-at-a-time.next one-at-a-time.subscribe
  create a/b; create a/c; join C to a/b; join C to a/c; send m1 to a/b; next C; done C each
  ! leave C a/b; send m2 to a/c; next C

one-at-a-time.unsubscribes-one-of-two: one-at-a-time.next one-at-a-time.subscribe
  create a; join C1 to a; join C2 to a; send m1 to a; next C1; done C1 each; leave C1 a
  ! send m2 to a; next C2

one-at-a-time.unsubscribing-takes-nothing: browse.queue.entries ack.only-that
  create a; create b; join C to a; join C to b; send m1 to a; next C
  leave C a
  ! browse a

one-at-a-time.unsubscribes-from-another: one-at-a-time.exclusive one-at-a-time.same consume.exactly-one
  create a; create b; send m1 to b; join C to b; join C to a; next C
  leave C a; join D to b
  ! next D; next C
  done C each; browse b

one-at-a-time.unsubscribes-from-last: one-at-a-time.unsubscribe one-at-a-time.next subscribe.destinations.only
  create a; join C to a; send m1 to a; next C; done C each
  leave C a; send m2 m3 to a
  ! next C
  join D to a; next D; done D each; next D; done D each

one-at-a-time.subscribes-while-it-holds: one-at-a-time.subscribe one-at-a-time.next browse.pending.held browse.queue.entries ack.final.same
  create a; create b; join C to a; send m1 to a; next C
  ! join C to b; browse a
  done C each; browse a; send m2 to b; next C

one-at-a-time.exclusive: one-at-a-time.exclusive one-at-a-time.next consume.exactly-one
  create a; send m1..m8 to a; join C to a; join D to a
  ! together: next C | next D | next C | next D
  done C each; done D each
  together: next C | next D | next C | next D
  done C each; done D each
  together: next C | next D
  done C each; done D each
  together: next C | next D
  done C each; done D each; next C; done C each; next D; done D each
  send m9 to a; next C; next D

one-at-a-time.ack-final: one-at-a-time.ack.final ack.final.same ack.final.other
  create a; join C to a; send m1 to a; next C
  done C each
  join D to a
  ! next D; next C
  send m2 to a; together: next C | next D
  leave C a; next D

one-at-a-time.ack-only: one-at-a-time.ack browse.pending.held browse.queue.entries
  create a; create b; join C to a; join D to b; send m1 to a; send m2 to b; next C; next D
  create c; join E to c; send m3 to c; next E; join F to c; send m4 m5 to c; next F
  done C 1st
  ! browse b; done D 1st
  done E 1st; browse c; done F each

one-at-a-time.unsubscribing-loses-nothing: one-at-a-time.unsubscribe browse.pending.held browse.queue.entries
  create a; join C to a; send m1 to a; next C
  leave C a
  ! browse a

one-at-a-time.queue-deleted: one-at-a-time.next
  create a; create b; join C to a; join C to b
  delete a; send m1 to b
  ! next C

one-at-a-time.beside-subscription: one-at-a-time.exclusive consume.exactly-one
  create a; subscribe A to a prefetch 2; send m1..m8 to a; join C to a
  ! together: next C | read A | next C | read A
  ack A each
  together: next C | read A | next C | read A
  ack A each; read A; next C

one-at-a-time.empty: one-at-a-time.empty answers 204 as empty-next-message
  create a; join C to a; send m1 to a; next C; done C each
  ! next C

one-at-a-time.again: one-at-a-time.again one-at-a-time.subscribe one-at-a-time.next subscribe.destinations.only ack.final.same answers 200 as subscribe-again
  create a; join C to a
  ! join C to a
  send m1 to a; next C; done C each; next C
  leave C a; send m2 to a; next C

one-at-a-time.same: one-at-a-time.same shows m1 as next-message-before-the-ack
  create a; join C to a; send m1 to a; next C; send m2 to a; next C
  ! next C

one-at-a-time.releases: one-at-a-time.releases one-at-a-time.next shows m1 as held-message-after-unsubscribing
  create a; join C to a; send m1 to a; next C; leave C a; join D to a
  ! next D

one-at-a-time.statuses: one-at-a-time.statuses answers 200 as one-at-a-time-statuses
  create a
  ! join A to a
  send m1 to a; next A
  ! done A m1
  ! leave A a

one-at-a-time.unknown: one-at-a-time.unknown answers 404 as next-message-of-unknown-consumer
  create a; join A to a; send m1 to a; next A
  ! request POST /nextMessageForMe/{B}

one-at-a-time.consumer-id: one-at-a-time.consumer-id answers 400 as consumer-id-that-is-long-or-reserved
  create a; join A to a
  ! request POST /subscribe/{256}/{a}
  ! request POST /subscribe/queues/{a}

one-at-a-time.longest-consumer-id: one-at-a-time.consumer-id answers 2xx as consumer-id-of-255-characters
  create a; join A to a
  ! request POST /subscribe/{255}/{a}

one-at-a-time.no-body: one-at-a-time.no-body answers 400 as body-of-one-at-a-time
  create a; join A to a; send m1 to a; next A
  ! request POST /subscribe/{A}/{a} body kit
  ! request POST /nextMessageForMe/{A} body kit
  ! request POST A m1 body kit
  ! request POST /unsubscribe/{A}/{a} body kit

one-at-a-time.body: one-at-a-time.next send.body.text send.body.empty answers 2xx or 4xx as one-at-a-time-bodies
  create a; join C to a
  ! send m1 to a body "<b>R&D</b> \"it's\" ]]> {14}"
  next C
  or
  create a; join C to a
  ! send m1 to a with Content-Type: "text/html; charset=utf-8" body "<p>é漢🦊 &amp; 1+1 {14}</p>"
  next C
  or
  create a; join C to a
  ! send m1 to a body "\ufeff  é漢🦊\r\nb\n{14} \n\n"
  next C
  or
  create a; join C to a
  ! send m1 to a size 66k
  next C
  or
  create a; join C to a
  ! send m1 to a bytes "\u0000\u0001\u00ff\u00fe{14}"
  next C
  or
  create a; join C to a
  ! send m1 to a empty
  next C
`)
