import { checksOf } from '../row-check.js'

/** Creating and deleting queues: section 4.1. */
export const QUEUE_ROWS = checksOf(`
queues.create: queues.create.status queues.create.location queues.collection
  ! create a

queues.own-address: queues.create.unique browse.queue.own browse.queue.entries
  create z; send m0 to z; browse z
  ! together: create a | create ab
  send m1 to a; send m2 to ab; browse a; browse ab

queues.create-again-keeps-messages: queues.create.again.messages queues.create.again.one queues.create.again.location browse.queue.entries
  create a; send m1 m2 to a; browse a
  ! create a
  browse a; send m3 to a; browse a

queues.hierarchy: queues.hierarchy browse.queue.own browse.queue.entries
  create z; send m0 to z; browse z
  create a/b; create a/bc; create a/c; create a/d/b
  send m1 to a/b; send m2 to a/bc; send m3 to a/c; send m4 to a/d/b
  ! browse a/b
  browse a/bc; browse a/c; browse a/d/b

queues.delete: queues.delete.status
  create a; browse a
  ! delete a

queues.delete-again: queues.delete.again answers 404 as delete-queue-again
  create a; browse a; delete a
  ! delete a
`)
