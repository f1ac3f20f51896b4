import { checksOf } from '../row-check.js'

/** The single-path mapping: POST sends, and each GET gives another message, which nobody else has. */
export const SINGLE_PATH_ROWS = checksOf(String.raw`
single-path.delivers: single-path.send single-path.consume
  create a
  ! send m1 to a by single-path; take a

single-path.slash-path: single-path.send single-path.consume queues.path
  create a/b/c
  ! send m1 to a/b/c by single-path; take a/b/c

single-path.own-destination: single-path.consume subscribe.destinations.only
  create a; create b; create a/b; send m1 to a by single-path; send m2 to b by single-path; send m3 to a/b by single-path
  ! take a; take b; take a; take b; take a/b

single-path.of-what-was-released: single-path.consume single-path.taken consume.exactly-one
  create a; send m1 to a; subscribe A to a; read A; end A
  ! take a; take a; browse a

single-path.of-a-missing-queue: browse.queue.own browse.queue.entries
  create a; send m1 to a; browse a
  ! by path: send m2 to a/b by single-path; browse a

single-path.another: single-path.another single-path.consume
  create a; send m1..m4 to a by single-path
  ! take a; take a; take a; take a; take a; take a

single-path.same-body: single-path.send single-path.another single-path.consume
  create a; send m1 to a by single-path; send m2 to a by single-path like m1
  ! take a; take a

single-path.parallel: single-path.exactly-one single-path.another single-path.consume consume.exactly-one
  create a; send m1..m6 to a by each
  ! together: take a | take a | take a | take a
  together: take a | take a | take a
  take a; take a; take a; take a

single-path.sessions: single-path.session single-path.exactly-one single-path.another single-path.consume consume.exactly-one
  create a; send m1 m2 to a by single-path
  ! take a as A; take a as B; take a as A; take a as B
  send m3..m6 to a by single-path
  together: take a as A | take a as B | take a as A | take a as B
  together: take a as A | take a as B | take a as A | take a as B
  send m7 m8 to a by single-path; take a as A; take a; take a as A; take a as B
  take a; take a as A; take a as B; take a as A; take a as B; take a as A; take a as B

single-path.session-of-ten: single-path.session single-path.another single-path.consume consume.exactly-one
  create a; send m1..m10 to a by single-path
  ! take a as S; take a as S; take a as S; take a as S; take a as S
  take a as S; take a as S; take a as S; take a as S; take a as S; take a as S

single-path.session-beside-others: single-path.exactly-one consume.exactly-one
  create a; send m1 to a by single-path; take a as S; join C to a; subscribe A to a
  ! next C; read A

single-path.to-primary: consume.any-mapping single-path.send consume.delivered ack.final.same ack.final.other
  create a; send m1 to a by single-path; subscribe A to a
  ! read A; ack A each; take a

single-path.from-primary: consume.any-mapping single-path.consume single-path.another
  create a; send m1 m2 to a
  ! take a; take a; take a

single-path.beside-subscription: single-path.exactly-one consume.exactly-one
  create a; send m1 m2 to a; subscribe A to a prefetch 2; read A
  ! take a
  create b; send m3 to b by single-path; take b; subscribe B to b; read B

single-path.status: single-path.status answers 200 as single-path-send
  create a
  ! send m1 to a by single-path

single-path.empty: single-path.empty answers 204 as single-path-empty
  create a; send m1 to a by single-path; take a
  ! take a

single-path.session-holds: single-path.session.acknowledges shows m1 m2 as message-in-hand-of-a-session
  create a; send m1 m2 to a by single-path; take a as S
  ! browse a

single-path.session-acknowledges: single-path.session.acknowledges shows m2 as message-that-a-session-had-before
  create a; send m1 m2 to a by single-path; take a as S; take a as S
  ! browse a

single-path.taken: single-path.taken shows m2 as message-taken-by-the-single-path
  create a; send m1 to a by single-path; take a; send m2 to a by single-path
  ! browse a

single-path.no-store: single-path.no-store answers 2xx or 404 with Cache-Control: no-store as single-path-caching
  create a; send m1 to a by single-path
  ! take a
  ! take a

single-path.unknown: single-path.unknown answers 404 as single-path-of-unknown-queue
  create a; send m1 to a by single-path; take a
  ! request GET /queue/{b}
  ! request POST /queue/{b} body kit

single-path.beside-locks: single-path.exactly-one batch.exclusive
  create a; send m1 m2 to a; join L to a; lock L 1
  ! take a; take a

single-path.beside-all: single-path.exactly-one consume.exactly-one ack.final.same ack.final.other consume.delivered
  create a; subscribe A to a prefetch up to 2; send m1..m12 to a; join N to a; join L to a
  ! together: read A | take a | next N | lock L 2
  ack A each; done N each; done L each; together: read A | take a | next N | lock L 2
  ack A each; done N each; done L each; together: read A | take a | next N | lock L 2
  ack A each; done N each; done L each; together: read A | take a | next N | lock L 2
  ack A each; done N each; done L each; read A
  or
  create a; subscribe A to a prefetch up to 2; send m1..m12 to a; join N to a
  ! together: read A | take a | next N
  ack A each; done N each; together: read A | take a | next N
  ack A each; done N each; together: read A | take a | next N
  ack A each; done N each; together: read A | take a | next N
  ack A each; done N each; read A
  or
  create a; subscribe A to a prefetch up to 2; send m1..m12 to a; join L to a
  ! together: read A | take a | lock L 2
  ack A each; done L each; together: read A | take a | lock L 2
  ack A each; done L each; together: read A | take a | lock L 2
  ack A each; done L each; together: read A | take a | lock L 2
  ack A each; done L each; read A
  or
  create a; subscribe A to a prefetch up to 2; send m1..m12 to a
  ! together: read A | take a
  ack A each; together: read A | take a
  ack A each; together: read A | take a
  ack A each; together: read A | take a
  ack A each; read A

single-path.body: single-path.consume send.body.text answers 2xx or 4xx as single-path-bodies
  create a
  ! send m1 to a by single-path body "<b>R&D</b> \"it's\" ]]> {14}"
  take a
  or
  create a
  ! send m1 to a by single-path with Content-Type: "text/html; charset=utf-8" body "<p>é漢🦊 &amp; 1+1 {14}</p>"
  take a
  or
  create a
  ! send m1 to a by single-path body "\ufeff  é漢🦊\r\nb\n{14} \n\n"
  take a
  or
  create a
  ! send m1 to a by single-path size 66k
  take a
  or
  create a
  ! send m1 to a by single-path bytes "\u0000\u0001\u00ff\u00fe{14}"
  take a

single-path.body-empty: single-path.send send.body.empty browse.queue.entries answers 2xx or 4xx as single-path-no-byte
  create a
  ! send m1 to a by single-path empty
  send m2 to a by single-path; browse a
`)
