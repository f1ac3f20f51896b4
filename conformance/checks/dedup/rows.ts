import { checksOf } from '../row-check.js'

/** Sending in one request with a guid, and again with a guid that was seen: section 4.1, "Send, single request". */
export const DEDUP_ROWS = checksOf(String.raw`
dedup.send: dedup.status dedup.one-message browse.queue.entries
  create a; send m1 to a; browse a
  ! send m2 to a by guid
  browse a

dedup.refused-then-created: dedup.one-message dedup.status browse.queue.entries
  create a; delete a
  send m1 to a by guid
  create a; send m2 to a; browse a
  ! repeat m1
  browse a

dedup.repeat: dedup.repeat dedup.repeat.status dedup.one-message
  create a; send m1 to a by guid; browse a
  ! repeat m1
  repeat m1; repeat m1; browse a
  repeat m1; repeat m1; repeat m1; repeat m1; repeat m1; repeat m1; repeat m1; repeat m1; repeat m1; browse a

dedup.before-two-steps: dedup.repeat dedup.one-message dedup.repeat.status
  create a; send m1 to a by guid; send m2 to a by two-step
  ! repeat m1
  browse a

dedup.repeat-status: dedup.repeat.status
  create a; send m1 to a by guid; browse a
  ! repeat m1
  repeat m1; repeat m1; repeat m1

dedup.outlives-queue: dedup.outlives-queue dedup.repeat.status dedup.one-message browse.pending.acknowledged
  create a; send m1 m2 to a by guid; subscribe A to a; read A
  ack A m1 m2
  browse a; end A; delete a
  ! repeat m2
  create a; repeat m1; send m3 to a; browse a

dedup.repeat-at-once: dedup.repeat.parallel dedup.repeat.status dedup.one-message
  create a; send m0 to a by guid; browse a
  ! together: send m1 to a by guid | repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1 | repeat m1
  together: send m2 to a by guid | repeat m2 | repeat m2 | repeat m2 | repeat m2 | repeat m2 | repeat m2 | repeat m2
  together: send m3 to a by guid | repeat m3 | repeat m3 | repeat m3 | repeat m3 | repeat m3 | repeat m3 | repeat m3
  repeat m1; repeat m2; repeat m3; browse a

dedup.repeat-held: dedup.repeat.held dedup.repeat.status dedup.one-message consume.exactly-one consume.repeat browse.pending.held
  create a; send m1 m2 to a by guid; subscribe A to a; read A
  subscribe B to a; read B; browse a
  ! repeat m1
  read B; read A; browse a
  ack A m1
  read A; browse a

dedup.other-message-beside-what-is-held: dedup.repeat.held dedup.one-message consume.exactly-one consume.repeat
  create a; send m1 to a by guid; subscribe A to a; read A
  ! repeat m1 changed size 200; subscribe B to a; read B; read A
  ack A m1; repeat m1 changed; browse a

dedup.repeat-handed-over: dedup.repeat.held dedup.repeat.acknowledged dedup.repeat.status dedup.one-message
  create a; send m1 to a by guid; subscribe A to a; read A; end A
  subscribe B to a; read B; end B
  browse a
  ! repeat m1
  browse a; subscribe C to a; read C; ack C m1; browse a; repeat m1; browse a

dedup.repeat-acknowledged: dedup.repeat.acknowledged dedup.repeat.status dedup.one-message browse.pending.acknowledged ack.final.same
  create a; send m1 to a by guid; subscribe A to a; read A
  ack A m1
  browse a; send m2 to a by guid; read A
  ! repeat m1
  repeat m1; browse a; read A

dedup.repeat-however-taken: dedup.repeat.acknowledged dedup.repeat.status dedup.one-message browse.pending.acknowledged
  create a; send m1 to a by guid; take a; browse a
  ! repeat m1
  browse a
  or
  create a; join C to a; send m1 to a by guid; next C; done C m1; browse a
  ! repeat m1
  browse a
  or
  create a; join C to a; send m1 to a by guid; lock C 2; done C m1; browse a
  ! repeat m1
  browse a
  or
  create a; send m1 to a by guid; subscribe A to a; read A; ack A m1 and read; browse a
  ! repeat m1
  browse a

dedup.repeats-renew-nothing: lease.expiry.despite-others lease.expiry.hands-over
  create a; send m1 to a by guid; subscribe A to a prefetch 1 timeout 2s; read A
  advance 1s; repeat m1; advance 1500ms; repeat m1; advance 1700ms
  ! repeat m1; subscribe B to a timeout 20s; read B

dedup.repeat-late-held: dedup.repeat.held dedup.one-message consume.repeat
  create a; send m1 to a by guid; subscribe A to a; read A
  wait late
  ! repeat m1
  read A; browse a

dedup.repeat-late: dedup.repeat.late dedup.repeat.acknowledged dedup.repeat.status dedup.one-message
  create a; send m1 m2 to a by guid; browse a; subscribe A to a; read A; ack A m2; end A; browse a
  wait late
  ! repeat m1; repeat m2
  browse a

dedup.system-wide: dedup.system-wide dedup.repeat.status browse.queue.own dedup.repeat.other-body
  create a; create b; send m1 to a by guid; send m2 to b; browse a; browse b
  ! repeat m1 changed to b
  repeat m1 to b; browse b; browse a

dedup.system-wide-at-once: dedup.system-wide dedup.repeat.parallel dedup.repeat.status dedup.one-message
  create a; create b
  ! together: send m1 to a by guid | repeat m1 to b | repeat m1 | repeat m1 to b
  together: send m2 to b by guid | repeat m2 to a | repeat m2 | repeat m2 to a
  repeat m1; repeat m2; browse a; browse b

dedup.refused-unused: dedup.refused.unused shows m1 as guid-to-unknown-queue
  create a; by path: send m1 to b by guid; repeat m1 to a
  ! browse a

dedup.any-party: dedup.any-party dedup.repeat.other-body
  create a; send m1 to a by guid; browse a
  ! as another: repeat m1 changed
  repeat m1; browse a

dedup.same-body: dedup.distinct browse.queue.entries
  create a; send m1 to a by guid; browse a
  ! send m2 to a by guid like m1
  together: send m3 to a by guid like m1 | send m4 to a by guid like m1
  browse a

dedup.case: dedup.case browse.queue.entries
  create a; send m1 to a by guid; browse a
  ! send m2 to a by guid unlike m1 in case
  repeat m1; repeat m2; browse a

dedup.alike: dedup.distinct browse.queue.entries
  create a; send m1 to a by guid long; browse a
  ! send m2 to a by guid unlike m1 in end; send m3 to a by guid unlike m1 in start
  send m4 to a by guid unlike m1 in space; send m5 to a by guid unlike m1 in indent
  repeat m1; repeat m2; repeat m3; repeat m4; repeat m5; browse a

dedup.numbers: dedup.distinct browse.queue.entries
  create a; send m1 to a by guid number; browse a
  ! send m2 to a by guid unlike m1 in zero; send m3 to a by guid unlike m1 in fraction
  repeat m1; repeat m2; repeat m3; browse a

dedup.special-characters: dedup.distinct browse.queue.entries
  create a; send m1 to a by guid; browse a
  ! send m2 to a by guid unlike m1 in hyphen; send m3 to a by guid unlike m1 in space
  send m4 to a by guid unlike m1 in sign; send m5 to a by guid unlike m1 in escape
  send m6 to a by guid unlike m1 in ampersand; send m7 to a by guid unlike m1 in equals
  send m8 to a by guid unlike m1 in slash; send m9 to a by guid unlike m1 in hash
  send m10 to a by guid unlike m1 in accent; send m11 to a by guid unlike m1 in mark
  send m12 to a by guid unlike m1 in script; send m13 to a by guid unlike m1 in emoji
  send m14 to a by guid unlike m1 in semicolon; send m15 to a by guid unlike m1 in comma
  repeat m1; repeat m2; repeat m3; repeat m4; repeat m5; repeat m6; repeat m7; repeat m8
  repeat m9; repeat m10; repeat m11; repeat m12; repeat m13; repeat m14; repeat m15; browse a

dedup.body: dedup.body
  create a
  ! send m1 to a by guid body " \r\n{14}<a b=\"c\">&amp; é漢🦊</a>\t\r\n"
  subscribe A to a; read A

dedup.body-form: dedup.body browse.queue.entries answers 2xx or 4xx as form-with-a-guid
  create a; send m1 to a by guid
  ! send m2 to a by guid with Content-Type: application/x-www-form-urlencoded body "_method=delete&guid=x&a={14}"
  browse a; subscribe A to a; read A

dedup.bodies: dedup.body answers 2xx or 4xx as bodies-with-guids
  create a; create b; send n1 to b every byte size 101k; send n2 to b size 100k; subscribe B to b; read B
  ! send m1 to a by guid every byte size 100k
  ! send m2 to a by guid size 100k
  subscribe A to a; read A; ack A each; read A

dedup.guid-takes-one-message: dedup.repeat.other-body dedup.one-message browse.queue.entries answers 2xx or 4xx as other-message-of-a-known-guid
  create a; send m1 m2 m4 m5 to a by guid; send m3 to a by guid size 200; browse a
  ! repeat m1 changed
  ! repeat m2 changed size 200
  ! repeat m3 changed
  ! repeat m4 changed empty
  ! repeat m5 retyped
  browse a

dedup.repeat-of-odd-bodies: dedup.repeat dedup.repeat.status dedup.one-message browse.queue.entries answers 2xx or 4xx as repeated-odd-bodies-of-guids
  create a
  ! send m1 to a by guid empty
  ! repeat m1
  ! repeat m1
  browse a
  or
  create a
  ! send m1 to a by guid with Content-Type: text/plain body 0
  ! repeat m1
  ! repeat m1
  browse a
  or
  create a
  ! send m1 to a by guid size 100k
  ! repeat m1
  ! repeat m1
  browse a

dedup.beside-two-steps: dedup.distinct browse.queue.entries
  create a; send m1 to a by guid; browse a
  ! send m2 to a by two-step like m1
  send m3 to a by guid like m1; browse a

dedup.refused-empty: dedup.refused.empty browse.queue.entries answers 400 as guid-empty
  create a; send m1 to a by guid; browse a
  ! request POST a ?guid= body kit
  ! request POST a ?guid body kit
  browse a

dedup.refused-long: dedup.refused.long browse.queue.entries answers 400 as guid-long
  create a; send m1 to a by guid; browse a
  ! request POST a ?guid={256} body kit
  browse a

dedup.refused-twice: dedup.refused.twice browse.queue.entries answers 400 as guid-twice
  create a; send m1 to a by guid; browse a
  ! request POST a ?guid={40}-a&guid={40}-b body kit
  ! request POST a ?guid={40}-c&guid={40}-c body kit
  browse a

dedup.long-guid: dedup.refused.long answers 200 as guid-of-255-characters
  create a; send m1 to a by guid
  ! request POST a ?guid={255} body {14}

dedup.replayed: dedup.repeat.replayed answers 200 with no Idempotent-Replayed then 200 with Idempotent-Replayed: true as idempotent-replayed-guid
  create a
  ! send m1 to a by guid
  ! repeat m1
`)
