import { checksOf } from '../row-check.js'

/** Sending in two steps, and repeating the second: section 4.1, "The client repeats this POST until it receives 200". */
export const SEND_ROWS = checksOf(`
send.address: send.step-1.status send.step-1.location send.two-step.without-guid
  create a
  ! address m1 at a

send.own-address: send.address.own
  create a
  ! address m1 at a
  address m2 at a; address m3 at a
  together: address m4 at a | address m5 at a | address m6 at a | address m7 at a | address m8 at a
  address m9 at a

send.own-address-across-queues: send.address.own send.step-2.one-message browse.queue.own browse.queue.entries
  create a; create b; send m0 to a; send n0 to b; browse a; browse b
  ! address m1 at a
  address n1 at b; address m2 at a; address n2 at b
  together: address m3 at a | address n3 at b
  post n2; post m2; browse a; browse b

send.address-makes-no-message: send.step-1.no-message send.body.text
  create a
  ! address m1 at a
  browse a
  address m2 at a; address m3 at a; browse a
  send m4 to a; browse a; subscribe A to a; read A

send.same-body: send.two-step.same-body browse.queue.entries
  create a; send m1 to a; send m5 to a size 4k; browse a
  ! send m2 to a like m1; send m6 to a like m5
  together: send m3 to a like m1 | send m4 to a like m1
  browse a

send.interleaved: send.step-2.one-message send.address.own browse.queue.entries
  create a; send m0 to a; browse a
  address m1 at a; address m2 at a; address m3 at a; address m4 at a
  ! post m4
  post m1; post m3; browse a

send.at-once: send.step-2.one-message browse.queue.entries
  create a; create b; send m0 to a; send n0 to b; browse a; browse b
  ! send m1..m24 to a
  send n1..n24 to b; browse a; browse b

send.repeat: send.two-step.repeat send.two-step.repeat.status send.step-2.one-message
  create a; send m1 to a; browse a
  ! repeat m1
  repeat m1; repeat m1; browse a

send.repeat-status: send.two-step.repeat.status
  create a; send m1 to a; browse a
  ! repeat m1
  repeat m1; repeat m1; repeat m1

send.repeat-after-others: send.two-step.repeat send.two-step.repeat.status send.step-2.one-message
  create a; create b; send m1 to a; send m2..m5 to a; send n1..n6 to b; browse a
  ! repeat m1
  browse a

send.repeat-after-creation: send.two-step.repeat send.two-step.repeat.status send.step-2.one-message
  create a; send m1 to a; create a
  ! repeat m1
  browse a

send.repeat-at-once: send.two-step.repeat.parallel send.two-step.repeat.status send.step-2.one-message
  create a; send m0 to a; browse a; address m1 at a; address m2 at a; address m3 at a
  ! together: post m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1
  together: post m2 | repeat m2 | repeat m2 | repeat m2 | repeat m2 | repeat m2 | repeat m2 | repeat m2
  together: post m3 | repeat m3 | repeat m3 | repeat m3 | repeat m3 | repeat m3 | repeat m3 | repeat m3
  repeat m1; repeat m2; repeat m3; browse a

send.repeat-at-once-again: send.two-step.repeat.parallel send.two-step.repeat send.two-step.repeat.status send.step-2.one-message
  create a; send m1 to a; browse a
  ! together: repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1
  repeat m1; browse a

send.repeat-held: send.two-step.repeat.held send.two-step.repeat.status send.step-2.one-message consume.exactly-one consume.repeat browse.pending.held
  create a; send m1 m2 to a; subscribe A to a; read A
  subscribe B to a; read B; browse a
  ! repeat m1
  read B; read A; browse a
  ack A m1
  read A; browse a

send.other-message-beside-what-is-held: send.two-step.repeat.held send.step-2.one-message consume.exactly-one consume.repeat
  create a; send m1 to a; subscribe A to a; read A
  ! repeat m1 changed size 200; subscribe B to a; read B; read A
  ack A m1; repeat m1 changed; browse a

send.repeat-handed-over: send.two-step.repeat.held send.two-step.repeat.acknowledged send.two-step.repeat.status send.step-2.one-message
  create a; send m1 to a; subscribe A to a; read A; end A
  subscribe B to a; read B; end B
  browse a
  ! repeat m1
  browse a; subscribe C to a; read C; ack C m1; browse a; repeat m1; browse a

send.repeat-acknowledged: send.two-step.repeat.acknowledged send.two-step.repeat.status send.step-2.one-message browse.pending.acknowledged ack.final.same
  create a; send m1 to a; subscribe A to a; read A
  ack A m1
  browse a; send m2 to a; read A
  ! repeat m1
  repeat m1; browse a; read A

send.repeat-however-taken: send.two-step.repeat.acknowledged send.two-step.repeat.status send.step-2.one-message browse.pending.acknowledged
  create a; send m1 to a; take a; browse a
  ! repeat m1
  browse a
  or
  create a; join C to a; send m1 to a; next C; done C m1; browse a
  ! repeat m1
  browse a
  or
  create a; join C to a; send m1 to a; lock C 2; done C m1; browse a
  ! repeat m1
  browse a
  or
  create a; send m1 to a; subscribe A to a; read A; ack A m1 and read; browse a
  ! repeat m1
  browse a

send.repeat-late-held: send.two-step.repeat.held send.step-2.one-message consume.repeat
  create a; send m1 to a; subscribe A to a; read A; address m2 at a
  wait late
  ! repeat m1; post m2
  read A; browse a

send.repeat-late: send.two-step.repeat.late send.two-step.repeat.acknowledged send.two-step.repeat.status send.step-2.one-message
  create a; send m1 m2 to a; browse a; subscribe A to a; read A; ack A m2; end A; browse a
  wait late
  ! repeat m1; repeat m2
  browse a

send.repeat-outlives-queue: send.two-step.repeat.outlives-queue send.two-step.repeat.status send.step-2.status send.step-2.one-message browse.pending.acknowledged
  create a; send m1 m2 to a; subscribe A to a; read A
  ack A m1 m2
  browse a; end A; delete a
  ! repeat m2
  create a; repeat m1; send m3 to a; browse a

send.repeat-other-body: send.two-step.repeat.other-body shows m1 as repeat-with-another-body
  create a; send m1 to a; browse a
  repeat m1 changed
  ! browse a

send.address-waits: send.step-2.status send.step-2.one-message browse.queue.entries
  create a; create b; send m0 to a; address m1 at a; address m2 at b; browse a
  advance 3s
  ! post m1; post m2; browse a
  repeat m2; browse b

send.address-looked-at: send.step-2.one-message browse.queue.entries
  create a; send m0 to a; browse a; address m1 at a
  request GET address m1; request HEAD address m1; request OPTIONS address m1
  ! post m1; browse a
  request GET address m1; request HEAD address m1; request OPTIONS address m1; browse a

send.unknown-address: send.address.unknown browse.queue.entries answers 404 as unknown-new-message-address
  create a; send m1 to a; browse a
  ! request POST beside address m1 body kit
  browse a

send.unknown-queue: send.unknown-queue answers 404 as send-to-unknown-queue
  create a; address m1 at a
  ! by path: address m2 at b

send.address-of-deleted-queue: send.address.queue-deleted answers 410 as address-of-deleted-queue
  create a; send m1 to a; address m2 at a; delete a
  ! post m2

send.body-at-step-1: send.step-1.body answers 400 as body-at-step-1
  create a; send m1 to a
  ! request POST a body {14}
  browse a

send.properties: send.properties answers 200 holding property colour=red and property unit_price=12.5 as properties
  create a; send m1 to a with Property-Colour: red with PROPERTY-UNIT-PRICE: 12.5
  ! browse a

send.repeat-replayed: send.two-step.repeat.replayed answers 200 with no Idempotent-Replayed then 200 with Idempotent-Replayed: true as idempotent-replayed
  create a
  ! send m1 to a by two-step
  ! repeat m1
`)
