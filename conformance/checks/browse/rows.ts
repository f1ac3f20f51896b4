import { checksOf } from '../row-check.js'

/** Browsing the messages of a queue: section 4.1, "Browse a queue's messages". */
export const BROWSE_ROWS = checksOf(String.raw`
browse.queue: browse.queue.status browse.queue.entries browse.queue.empty send.body.text send.step-2.one-message
  create a
  ! browse a; send m1 m2 m3 to a; browse a

browse.unknown: browse.unknown answers 404 as browse-unknown
  create a; browse a
  ! by path: browse b/c

browse.order: browse.order shows m1 m2 m3 m4 m5 in order as queue-feed-order
  create a; send m1..m5 to a
  ! browse a

browse.paging-refused: browse.paging.refused answers 400 as paging-that-is-refused
  create a; browse a
  ! request GET a ?limit=0
  ! request GET a ?limit=1001
  ! request GET a ?limit=x
  ! request GET a ?cursor=made-up

browse.paging-most: browse.paging.refused answers 200 as largest-page
  create a; browse a
  ! request GET a ?limit=1000

browse.media-type-parameters: browse.atom.parameters answers 200 with Content-Type: application/atom+xml type=feed charset=utf-8 as feed-media-type
  create a; send m1 to a
  ! browse a

browse.caching: browse.caching answers 200 with ETag and Cache-Control: private no-cache as feed-cache-control
  create a; send m1 to a
  ! browse a

browse.held: browse.pending.held browse.queue.entries send.step-2.one-message
  create a; send m1 m2 m3 to a; browse a; subscribe A to a prefetch 2; read A
  ! browse a

browse.held-of-many: browse.pending.held send.step-2.one-message
  create a; send m1..m24 to a; subscribe A to a; subscribe B to a; subscribe C to a; read A; read B; read C
  ! browse a

browse.held-on: browse.pending.held browse.queue.entries
  create a; send m1 m2 to a; subscribe A to a; read A
  wait late
  ! browse a
  end A; browse a

browse.acknowledged-gone: browse.pending.acknowledged browse.queue.entries browse.pending.held send.step-2.one-message
  create a; send m1 m2 m3 to a; browse a; subscribe A to a; read A
  ack A m1
  ! browse a; ack A m2; send m4 to a; browse a

browse.made-after-those-below: browse.subtree.queues browse.root.entries
  create a/b/c; create d/e; list
  ! create a/b; create d; list a; list

browse.listed-when-empty: browse.root.entries browse.queue.status browse.queue.empty
  create a; create b/c; send m1 to a; send m2 to b/c; browse a; list; subscribe A to a,b/c; read A
  ! list; ack A each; list; browse a; browse b/c
  end A; list; browse a

browse.takes-nothing: browse.takes-nothing browse.queue.entries consume.delivered
  create z; send z1 to z; subscribe Z to z; read Z
  create a; send m1 m2 m3 to a; browse a
  ! browse a; browse a; subscribe A to a; read A

browse.head-takes-nothing: browse.takes-nothing browse.queue.entries consume.delivered
  create a; send m1 m2 m3 to a; browse a
  ! request HEAD a
  browse a; subscribe A to a; read A

browse.leaves-held: browse.takes-nothing browse.pending.held consume.exactly-one consume.repeat
  create a; send m1 m2 to a; subscribe A to a; read A; subscribe B to a; read B
  ! browse a; browse a; read B; read A

browse.changes-nothing: browse.changes-nothing browse.queue.entries
  create a; send m1..m4 to a; browse a
  ! browse a; browse a; browse a
  together: browse a | browse a | browse a | browse a
  browse a

browse.after-many-acks: browse.queue.entries browse.pending.held browse.pending.acknowledged
  create a; subscribe A to a prefetch 100; subscribe B to a prefetch 100; subscribe C to a prefetch 100
  send m1..m340 to a; read A; ack A each mixed; read B; ack B each mixed; read C; ack C each mixed
  ! browse a

browse.markup: browse.atom.escaping browse.atom.well-formed browse.queue.entries send.body.text
  create a
  ! send m1 to a body "& < > \" ' {14}"
  send m2 to a body "]]> <![CDATA[x]]>{14}"; send m3 to a body "&amp; &lt; &#38;{14}"
  send m4 to a body "<entry><id>x</id></entry>{14}"; send m5 to a body "é漢字🦊 {14}"
  browse a

browse.of-mixed-contents: browse.queue.status browse.queue.entries consume.status consume.delivered
  create a; send m1 to a body "é漢{14}"; send m2 to a every byte; send m3 to a with colour red
  ! browse a; subscribe A to a; read A
  or
  create "a/é漢"; send m1 to "a/é漢"; send m2 to "a/é漢" every byte
  ! browse "a/é漢"; subscribe A to "a/é漢"; read A

browse.head-of-the-single-path: browse.queue.entries browse.takes-nothing
  create a; send m1 to a; browse a
  ! request HEAD /queue/{a}
  browse a

browse.of-mebibytes: browse.queue.entries browse.pending.held
  create a; send m1..m45 to a size 100k
  ! browse a

browse.conditional: browse.conditional answers 304 then 200 as feed-if-none-match
  create a; send m1 to a; browse a; request GET a
  ! request GET a with If-None-Match: {=ETag}
  send m2 to a; browse a
  ! request GET a with If-None-Match: {=ETag}

browse.published: browse.entry.dates answers 200 holding published as published
  create a; send m1 to a
  ! browse a

browse.counts: browse.listing.counts answers 200 holding pending 3 and held 2 and subscriptions 1 as queue-counts
  create a/b; send m1 m2 m3 to a/b; subscribe A to a/b prefetch 2; read A; list a
  ! request GET /queues/{a}/
`)
