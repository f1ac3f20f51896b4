import { listingFeed, queueFeed } from '../../atom/feed.js'
import { Refusal } from '../../broker/refusals.js'
import { listingPage, queuePage } from '../../html/feeds.js'
import { hashETag, makeETag } from '../../http/conditional.js'
import type { Reply, Request } from '../../http/exchange.js'
import type { MappingContext } from '../context.js'
import { feedReply } from '../feed-reply.js'
import { askedPage } from '../paging.js'
import { queueNameOf } from '../queue-path.js'
import { appliedWait, grantedWait, waitFor } from '../waiting.js'
import { queueDefinition } from './queue-definition.js'

/** Browse queues: one entry per directory, category or queue directly below the root. */
// clause: browse.root.status browse.root.entries browse.root.nested queues.collection
export function browseQueues(context: MappingContext, request: Request): Reply {
  return listing(context, request, '')
}

/**
 * Browse a queue's messages, or a subtree. `chosen`: a trailing slash always asks for what is below; without it a
 * name that is both is the queue.
 */
// clause: browse.queue.status browse.subtree.status browse.subtree.prefix
export function browse(context: MappingContext, request: Request, rest: string): Reply | Promise<Reply> {
  if (rest === '') return listing(context, request, '')
  if (rest.endsWith('/')) return listing(context, request, queueNameOf(rest.slice(0, -1)))
  const name = queueNameOf(rest)
  try {
    return queueMessages(context, request, name)
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'unknown-queue')) throw error
    return categoryOr(error, () => listing(context, request, name))
  }
}

/** Create a queue: 201 with its address, new or not, since creating is idempotent. */
// clause: queues.create.status queues.create.location queues.create.again.status queues.create.again.location
export function createQueue({ broker, links }: MappingContext, request: Request): Reply {
  const { queue } = broker.createQueue(queueDefinition(request))
  return { status: 201, headers: { Location: links.queue(queue.name) } }
}

/** Delete a queue. */
// clause: queues.delete.status
export function deleteQueue({ broker }: MappingContext, rest: string): Reply {
  broker.deleteQueue(queueNameOf(rest))
  return { status: 200 }
}

function listing({ broker, links, limits }: MappingContext, request: Request, category: string): Reply {
  const asked = askedPage(request, { limits })
  const page = broker.listQueues(category, { cursor: asked.cursor, limit: asked.size })
  const name = category.replaceAll('.', '/')
  const forms = {
    atom: () => listingFeed(name, page, links, asked),
    html: () => listingPage(name, page, links, asked),
  }
  // Counts of every queue listed stand in it, so nothing less than the whole feed tells whether it changed.
  return feedReply(request, (form) => hashETag(forms[form]()), forms)
}

function queueMessages(context: MappingContext, request: Request, name: string): Reply | Promise<Reply> {
  const asked = askedPage(request, context)
  const wait = grantedWait(request, context)
  const page = browsePage(context, name, asked)
  if (wait === undefined || page.items.length > 0) return queueReply(context, request, asked, page, wait)
  return waitFor(context, request, wait, {
    ask: () => someOf(browsePage(context, name, asked)),
    subscribe: (wake) => context.broker.whenQueueChanges(name, wake),
  }).then(({ found }) => queueReply(context, request, asked, found ?? browsePage(context, name, asked), wait))
}

type Asked = ReturnType<typeof askedPage>
type QueuePage = ReturnType<MappingContext['broker']['browse']>

function browsePage({ broker }: MappingContext, name: string, { cursor, size }: Asked): QueuePage {
  return broker.browse(name, { cursor, limit: size })
}

function someOf(page: QueuePage): QueuePage | undefined {
  return page.items.length > 0 ? page : undefined
}

function queueReply(
  { links }: MappingContext,
  request: Request,
  asked: Asked,
  page: QueuePage,
  wait: number | undefined,
): Reply {
  const { queue } = page
  const etagOf = (form: string) => makeETag(queue.id, queue.version, asked.cursor ?? '', asked.size, form)
  const forms = { atom: () => queueFeed(page, links, asked), html: () => queuePage(page, links, asked) }
  return feedReply(request, etagOf, forms, appliedWait(wait))
}

/** The listing of a name that is no queue; where it is no category either, the queue is what was not found. */
function categoryOr(unknownQueue: Refusal, listCategory: () => Reply): Reply {
  try {
    return listCategory()
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'unknown-path') throw unknownQueue
    throw error
  }
}
