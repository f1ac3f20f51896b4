import { checksOf } from '../row-check.js'

/** Creating and deleting queues: section 4.1. */
export const QUEUE_ROWS = checksOf(String.raw`
queues.create: queues.create.status queues.create.location queues.collection
  ! create a

queues.create-media-type: queues.create.media-type answers 415 as create-by-image
  create a
  ! request POST /queues with Content-Type: image/png body {b}

queues.create-nameless: queues.create.nameless answers 400 as create-nameless
  create a
  ! request POST /queues

queues.reserved-names: queues.name.reserved answers 400 as queue-name-with-reserved-characters
  create a
  ! create "a//b"
  ! create "a/*"
  ! create "a/>"

queues.long-names: queues.name.length answers 400 as queue-name-that-is-too-long
  create a
  ! create "{256}"
  ! create "{255}/{255}/{255}/{255}/x"

queues.long-names-fit: queues.name.length answers 201 as longest-queue-name
  create a
  ! create "{255}"
  ! create "{255}/{255}/{255}/{254}/x"

queues.escapes: queues.name.escapes answers 400 as queue-path-with-broken-escapes
  create a; browse a
  ! request GET /queues/{a}%zz
  ! request GET /queues/{a}%ff

queues.any-character: queues.name.unicode answers 201 as queue-name-of-any-characters
  create a/b
  ! create "a/R&D"
  ! create "a/<\"it's\"="
  ! create "a/a b"
  ! create "a/é"
  ! create "a/漢"
  ! create "a/🦊"

queues.own-address: queues.create.unique browse.queue.own
  create z
  ! together: create a | create ab
  send m1 to a; send m2 to ab; browse a; browse ab

queues.create-again: queues.create.again.location queues.create.again.status
  create a; browse a
  ! create a

queues.create-again-keeps-messages: queues.create.again.messages queues.create.again.one queues.create.again.location browse.queue.entries
  create a; send m1..m12 to a; browse a
  ! create a
  browse a; send n1 to a; browse a; create a; create a; create a; browse a

queues.create-again-leaves-addresses: send.step-2.status queues.create.again.messages browse.queue.entries answers 2xx as address-after-a-second-creation
  create a; address m1 at a; address m2 at a; post m2; create a
  ! post m1
  browse a

queues.create-again-status: queues.create.again.status answers 201 as create-existing-queue
  create a; browse a
  ! create a
  ! create a
  ! create a

queues.create-again-leaves-held: queues.create.again.held queues.create.again.messages consume.status consume.exactly-one consume.repeat consume.delivered browse.pending.held browse.pending.acknowledged ack.final.other
  create a; create b; send m1 m2 m3 to a; subscribe A to a; read A
  ack A m1; subscribe B to a; subscribe C to b
  ! create a; create b; send m4 to b; read B; read A; read C; browse a

queues.create-at-once-answers: queues.create.at-once queues.create.status
  create z
  ! together: create a | create a | create a | create a | create a | create a | create b | create c | create d
  together: create e | create e | create e | create e | create e | create e | create f | create g | create h
  together: create i | create i | create i | create i | create i | create i | create j | create k | create l

queues.path-address: queues.address browse.queue.status browse.queue.entries browse.queue.own send.step-1.status send.step-1.location dedup.status
  create a; send m1 to a; browse a
  ! by path: browse a; by path: send m2 to a; by path: browse a; browse a

queues.several-segments: queues.path queues.create.status queues.create.location queues.address browse.queue.status browse.queue.entries
  create z; send m0 to z; browse z
  ! create a/b/c; send m1 to a/b/c; browse a/b/c; by path: browse a/b/c

queues.dotted-name: queues.dotted queues.create.status queues.create.location browse.queue.status browse.queue.entries browse.queue.own
  create z; send m0 to z; browse z
  ! by dots: create a/b/c; send m1 to a/b/c; browse a/b/c; by dots: browse a/b/c
  by dots: send m2 to a/b/c by each; by dots: browse a/b/c

queues.dotted-extension: queues.dotted browse.queue.status browse.queue.entries browse.queue.own
  create a; send m0 to a; browse a
  ! by dots: create "a/xml"; send m1 to "a/xml"; by dots: browse "a/xml"; by dots: send m2 to "a/xml"; browse "a/xml"; browse a

queues.dotted-path: queues.dotted.path queues.create.again.location queues.delete.unreadable browse.queue.status browse.queue.entries send.step-1.status answers 200 as dotted-name-and-path
  create a/b; send m1 to a/b; browse a/b
  ! by dots: browse a/b
  by dots: send m2 to a/b; browse a/b; by dots: create a/b; browse a/b
  by dots: delete a/b; browse a/b

queues.hierarchy: queues.hierarchy browse.queue.own browse.queue.entries
  create z; send m0 to z; browse z
  create a/b; create a/bc; create a/c; create a/d/b
  send m1 to a/b; send m2 to a/bc; send m3 to a/c; send m4 to a/d/b
  ! browse a/b
  browse a/bc; browse a/c; browse a/d/b

queues.below-a-queue: queues.hierarchy browse.queue.own browse.queue.entries
  create a; send m1 to a; browse a
  ! create a/b; send m2 to a/b; browse a/b; browse a

queues.listed-late: browse.root.entries
  create a; create c/d; list
  wait late
  ! list

queues.kept-late: queues.create.again.messages browse.queue.status browse.queue.entries send.step-1.status send.step-2.status
  create a; create b; create c/d; send m1 m2 to b; browse b
  wait late
  ! together: create b | send m3 to a | send m4 to c/d; browse b; browse a; browse c/d

queues.delete: queues.delete.status
  create a; browse a
  ! delete a

queues.delete-by-path: queues.address queues.delete.status queues.delete.unreadable
  create a; create b/c; send m1 to a; send m2 to b/c; browse a; browse b/c
  ! by path: delete a; browse a
  by path: delete b/c; browse b/c

queues.delete-again: queues.delete.again answers 404 as delete-queue-again
  create a; browse a; delete a
  ! delete a

queues.delete-unreadable: queues.delete.unreadable
  create a; send m1 to a; browse a
  delete a
  ! browse a

queues.delete-unlisted: queues.delete.unlisted browse.root.entries
  create a; create b; create c/d; create c/e; list
  delete a; delete c/d
  ! list; create a; create c/d; list; delete b; create f; list

queues.delete-unlisted-with-consumers: queues.delete.unlisted browse.root.entries
  create a; create b; send m1 m2 to a; subscribe A to a,b prefetch 1; subscribe B to a; read A; list
  delete a
  ! list
  end A; end B; list

queues.delete-unlisted-below: queues.delete.unlisted browse.subtree.queues
  create a/b/c; create a/b/d; create a/b/e; list a/b
  delete a/b/c
  ! list a/b; delete a/b/e; list a/b

queues.delete-leaves-others: queues.delete.others browse.queue.status browse.queue.own browse.queue.entries send.step-2.status
  create a/b; create a/bc; create a/c; create d
  send m1 to a/b; send m2 to a/bc; send m3 to a/c; send m4 to d
  browse a/b; browse a/bc; browse a/c; browse d
  address m5 at a/bc; address m6 at a/c; address m7 at d; delete a/b
  ! browse a/bc; browse a/c; browse d
  post m5; post m6; post m7; browse a/bc; browse a/c; browse d

queues.delete-leaves-look-alikes: queues.delete.others browse.queue.status browse.queue.entries
  create "a/x_y"; create a/xzy; create a/xy; send m1 to a/xzy; send m2 to a/xy; browse a/xzy; browse a/xy
  delete "a/x_y"
  ! browse a/xzy; browse a/xy

queues.delete-leaves-below: queues.delete.others browse.root.entries browse.queue.status browse.queue.own browse.queue.entries
  create a; create a/b; create a/b/c; send m1 to a; send m2 to a/b/c; browse a; browse a/b/c
  create d; create d/e; send m3 to d; browse d
  delete a/b; delete d/e
  ! browse a/b/c; browse a; browse d
  delete a; browse a/b/c; list

queues.created-after-delete: queues.create.posting queues.create.status queues.create.location send.step-1.status send.step-2.status browse.queue.status browse.queue.entries
  create a; send m1 to a; browse a; delete a
  ! create a; send m2 to a; browse a
  delete a; create a; send m3 to a; browse a; delete a; create a; browse a; delete a; browse a

queues.delete-spares-consumers: queues.delete.consumers queues.delete.unreadable browse.pending.held consume.status consume.exactly-one consume.repeat consume.delivered
  create a; create b; send m1 to a; send m2 to b like m1; subscribe A to a,b; read A; subscribe B to b
  delete a
  ! browse a; read B; read A
  end B; send m3 to b; read A; browse b

queues.delete-category: queues.delete.category browse.queue.status browse.queue.entries answers 404 as delete-category
  create a/b; send m1 to a/b; browse a/b
  ! by path: delete a
  browse a/b

queues.delete-messages: queues.delete.messages shows m2 as messages-of-a-deleted-queue
  create a; send m1 to a; browse a; delete a; create a; send m2 to a
  ! browse a

queues.delete-held: queues.delete.held shows m2 as held-messages-of-a-deleted-queue
  create a; create b; send m1 to a; send m2 to b; subscribe A to a,b; read A
  delete a
  ! read A

queues.delete-makes-room: queues.delete.room consume.delivered
  create a; create b; send m1 to a; subscribe A to a,b prefetch 1; read A; send m2 to b
  delete a
  ! read A; read A

queues.create-by-text: queues.create.text answers 201 with Location then 200 as create-by-text
  create a
  ! request POST /queues with Content-Type: text/plain body {b}
  ! request GET /queues/{b}

queues.create-by-form: queues.create.form answers 201 with Location then 200 as create-by-form
  create a
  ! request POST /queues with Content-Type: application/x-www-form-urlencoded body name={b}
  ! request GET /queues/{b}

queues.create-by-json: queues.create.json answers 201 with Location then 200 as create-by-json
  create a
  ! request POST /queues with Content-Type: application/json body "{\"name\":\"{b}\"}"
  ! request GET /queues/{b}

queues.create-by-slug: queues.create.slug answers 201 with Location then 200 as create-by-slug
  create a
  ! request POST /queues with Slug: {b}
  ! request GET /queues/{b}
`)
