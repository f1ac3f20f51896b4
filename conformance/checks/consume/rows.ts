import { checksOf } from '../row-check.js'

/** What consumers are given: everything, once, and each its own. */
export const CONSUME_ROWS = checksOf(`
consume.delivers: consume.delivered consume.backlog subscribe.destinations
  create a; send m1 to a; create b; subscribe A to a; subscribe B to b; send n1 to b
  ! read A; read B

consume.entries: consume.entries send.step-2.one-message dedup.one-message consume.repeat
  create a; subscribe A to a; send m1 m2 m3 to a
  ! read A; read A; read A

consume.repeat: consume.repeat
  create a; subscribe A to a; send m1 m2 m3 to a
  ! read A; read A; read A

consume.later: consume.later consume.repeat consume.delivered
  create a; subscribe A to a; send m1 to a; read A
  ! send m2 to a; read A

consume.read-often: consume.after-idle consume.repeat consume.delivered
  create a; subscribe A to a
  read A; read A; read A; read A; read A; read A; read A; read A; read A; read A; read A; read A
  ! send m1 to a
  read A; read A; read A; read A; read A; read A; read A; read A; read A; read A; read A; read A

consume.only-its-destinations: subscribe.destinations.only
  create a/b; create a/c; create a/b-more; send n1 to a/c
  subscribe A to a/b; send n2 to a/c; send n3 to a/b-more; send m1 to a/b
  ! read A; read A

consume.only-its-path: subscribe.destinations.only
  create a/b; create a; create a/b/c; subscribe A to a/b
  send n1 to a; send n2 to a/b/c; send m1 to a/b
  ! read A; read A

consume.exactly-one: consume.exactly-one consume.own-view subscribe.own-feed consume.delivered
  create a; subscribe A to a; subscribe B to a; subscribe C to a; send m1..m6 to a
  ! read A; read B; read C

consume.exactly-one-of-backlog: consume.exactly-one consume.backlog consume.delivered
  create a; send m1..m6 to a; together: subscribe A to a | subscribe B to a
  ! read A; read B

consume.exactly-one-of-every-kind: consume.exactly-one consume.own-view
  create a; create b; delete b; create b; subscribe A to a,b; subscribe B to a,b
  send m1 m2 to a by each; send n1 n2 to b by each
  ! read A; read B

consume.held-while-queues-come-and-go: consume.exactly-one consume.repeat
  create a/b; create a/d; send m1 to a/b; subscribe A to a/*; read A
  ! create a/c; create a/b; delete a/d; subscribe B to a/b; read B; read A

consume.equal-bodies-of-two-queues: consume.delivered consume.entries
  create a; create b; send m1 to a; send m2 to b like m1; subscribe A to a,b
  ! read A; read A

consume.held-with-a-selector: consume.exactly-one consume.repeat
  create a; send m1 to a with colour red; subscribe A to a selector colour = 'red'; read A
  ! create a; subscribe B to a; read B; read A

consume.exactly-one-by-a-wildcard: consume.exactly-one consume.own-view
  create a/b; subscribe A to a/*,a/b; subscribe B to a/*,a/b; send m1..m4 to a/b
  ! read A; read B

consume.parallel: consume.parallel consume.exactly-one consume.repeat consume.delivered
  create a; send m1..m4 to a by each; subscribe A to a; subscribe B to a; subscribe C to a
  ! together: read A | read B | read C | read A | read B | send m5 to a
  read A; read B; read C

consume.own-view: consume.own-view consume.exactly-one
  create a; subscribe A to a; send m1 m2 m3 to a
  ! read A
  subscribe B to a; send m4 to a; read B

consume.all: consume.all consume.exactly-one consume.delivered
  create a; send m1..m3 to a; subscribe A to a prefetch 1; subscribe B to a prefetch 1; send m4..m8 to a
  ! read A; read B; ack A each; ack B each
  read A; read B; ack A each; ack B each
  read A; read B; ack A each; ack B each
  read A; read B; ack A each; ack B each
  read A; read B; browse a

consume.many: consume.all consume.backlog consume.message-uri.own consume.delivered
  create a; send m1..m130 to a; subscribe A to a prefetch up to 26
  ! read A; ack A each; read A; ack A each; read A; ack A each; read A; ack A each; read A; ack A each; read A; ack A each
  browse a

consume.on-arrival: consume.on-arrival consume.delivered shows nothing as binding
  create a; subscribe A to a; send m1 to a; subscribe B to a
  ! read B; read A

consume.order: consume.order shows m1 m2 m3 m4 in order as order
  create a; send m1 m2 m3 m4 to a; subscribe A to a
  ! read A

consume.old-place: consume.old-place shows m1 m2 m3 in order as returned-message
  create a; send m1 m2 m3 to a; subscribe A to a prefetch 1; read A; end A; subscribe B to a
  ! read B

consume.deliveries: consume.deliveries answers 200 holding deliveries 1 then 200 holding deliveries 2 as deliveries
  create a; send m1 to a; subscribe A to a
  ! read A
  end A; subscribe B to a
  ! read B

consume.properties: consume.properties answers 200 holding property colour=red and property place=Zürich 漢 and property two_words=a<b as properties-for-consumers
  # A header has the bytes of UTF-8.
  create a; send m1 to a with Property-Colour: red with Property-Place: "ZÃ¼rich æ¼¢" with Property-Two-Words: a<b; subscribe A to a
  ! read A

consume.conditional: browse.caching browse.conditional answers 200 with ETag and Cache-Control: private no-cache then 304 then 200 as consumer-feed-if-none-match
  create a; subscribe A to a
  ! request GET A
  ! request GET A with If-None-Match: {=ETag}
  send m1 to a; read A
  ! request GET A with If-None-Match: {=ETag}
`)
