import { checksOf } from '../row-check.js'

/** The batch mapping: lock calls, fetching, and acknowledging by DELETE. */
export const BATCH_ROWS = checksOf(String.raw`
batch.locks: batch.lock batch.fetch
  create a; join C to a; send m1 m2 m3 to a
  ! lock C 3; fetch C 1st

batch.fetch-again: batch.fetch browse.pending.held browse.queue.entries send.step-2.one-message
  create a; join C to a; send m1 m2 to a; lock C 2
  ! fetch C 1st; fetch C last; fetch C 1st
  repeat m1; repeat m2; browse a

batch.max: batch.max batch.max.per-call
  create a; send m1..m25 to a; join C to a
  ! lock C 1; lock C 2; lock C 3; lock C 1; lock C 6; lock C 11

batch.max-of-twenty: batch.max
  create a; send m1..m25 to a; join C to a
  ! lock C 20

batch.max-of-a-hundred: batch.max
  create a; send m1..m105 to a; join C to a
  ! lock C 100

batch.max-over-destinations: batch.max
  create a; create b; send m1 m2 to a; send n1 n2 to b; join C to a; join C to b
  ! lock C 1; lock C 2

batch.max-per-call: batch.max.per-call batch.max batch.lock batch.ack batch.ack.final ack.final.same
  create a; send m1..m9 to a; join C to a
  ! lock C 2; done C each; lock C 5; done C each; lock C 2; done C each; lock C 2; done C each; lock C 5; done C each
  lock C 2; done C each; lock C 2; done C each; lock C 2; done C each; lock C 2

batch.acknowledges: batch.lock batch.ack batch.ack.final ack.final.same browse.pending.acknowledged browse.pending.held
  create a; send m1 m2 m3 to a; join C to a; lock C 3
  ! done C 1st; lock C 3; browse a
  done C each; lock C 3; send m4 to a; lock C 3

batch.ack-final: batch.ack.final ack.final.same
  create a; send m1 to a; join C to a; lock C 1
  done C 1st
  join D to a
  ! lock D 2; lock C 2
  send m2 to a; lock D 2

batch.ack-only: batch.ack.only batch.fetch batch.ack consume.exactly-one browse.pending.held browse.queue.entries
  create a; join C to a; send m1 m2 m3 to a; lock C 3; lock C 3; lock C 3
  done C m1
  ! done C m1; fetch C m2; fetch C m3
  join D to a; lock D 3; browse a
  done C m2; done C m3

batch.exclusive: batch.exclusive consume.exactly-one
  create a; join C to a; send m1 m2 m3 to a; lock C 3; lock C 3; lock C 3
  join D to a
  ! lock D 3
  send m4..m9 to a
  together: lock C 2 | lock D 2 | lock C 2 | lock D 2
  together: lock C 2 | lock D 2 | lock C 2 | lock D 2

batch.beside-subscription: batch.exclusive consume.exactly-one
  create a; send m1..m8 to a; subscribe A to a prefetch 2; join C to a
  ! together: read A | lock C 2 | read A | lock C 2
  ack A each
  together: read A | lock C 2 | read A | lock C 2
  read A; lock C 2

batch.beside-one-at-a-time: batch.exclusive one-at-a-time.exclusive consume.exactly-one
  create a; send m1..m8 to a; join C to a; join D to a
  ! together: lock C 2 | next D | lock C 2 | next D
  done D each
  together: lock C 2 | next D | lock C 2 | next D
  next D; lock C 2

batch.ack-status: batch.ack.status answers 200 as batch-ack
  create a; join C to a; send m1 to a; lock C 1
  ! done C 1st

batch.further: batch.further shows m2 as further-lock-call
  create a; join C to a; send m1 to a; lock C 1; send m2 to a
  ! lock C 2

batch.max-range: batch.max.range answers 400 as bad-max
  create a; join A to a; lock A 1000
  ! request POST /lockNextMessage/{A}?max=0
  ! request POST /lockNextMessage/{A}?max=1001
  ! request POST /lockNextMessage/{A}?max=-1
  ! request POST /lockNextMessage/{A}?max=1.5
  ! request POST /lockNextMessage/{A}?max=x

batch.unknown: batch.unknown answers 404 as lock-call-of-unknown-consumer
  create a; join A to a; send m1 to a; lock A 1
  ! request POST /lockNextMessage/{B}?max=1

batch.body: batch.fetch send.body.text send.body.empty batch.lock answers 2xx or 4xx as batch-bodies
  create a; join C to a
  ! send m1 to a body "<b>R&D</b> \"it's\" ]]> {14}"
  lock C 1; fetch C 1st
  or
  create a; join C to a
  ! send m1 to a with Content-Type: "text/html; charset=utf-8" body "<p>é漢🦊 &amp; 1+1 {14}</p>"
  lock C 1; fetch C 1st
  or
  create a; join C to a
  ! send m1 to a body "\ufeff  é漢🦊\r\nb\n{14} \n\n"
  lock C 1; fetch C 1st
  or
  create a; join C to a
  ! send m1 to a size 66k
  lock C 1; fetch C 1st
  or
  create a; join C to a
  ! send m1 to a bytes "\u0000\u0001\u00ff\u00fe{14}"
  lock C 1; fetch C 1st
  or
  create a; join C to a
  ! send m1 to a empty
  lock C 1; fetch C 1st

batch.list: batch.list answers 200 with Content-Type: text/uri-list as lock-call
  create a; join C to a
  ! lock C 1
  send m1 to a
  ! lock C 1
`)
