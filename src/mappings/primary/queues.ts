import { listingFeed, queueFeed } from '../../atom/feed.js'
import { withSlashes } from '../../broker/names.js'
import { Refusal, type RefusalKind } from '../../broker/refusals.js'
import { listingPage, queuePage } from '../../html/feeds.js'
import { hashETag, makeETag } from '../../http/conditional.js'
import type { Reply, Request } from '../../http/exchange.js'
import type { TargetState } from '../../http/preconditions.js'
import type { Written } from '../../platform/bytes.js'
import { type AskedPage, askedPage, queueNameOf } from '../asking.js'
import { type Act, linksOf, type MappingContext } from '../context.js'
import { feedReply } from '../feed-reply.js'
import { appliedWait, grantedWait, waitFor } from '../waiting.js'
import { queueDefinition } from './queue-definition.js'

/**
 * Browse queues, or one queue's messages, or a subtree. `chosen`: a trailing slash always asks for what is below;
 * without it a name that is both is the queue.
 */
// clause: browse.root.status browse.root.entries browse.root.nested queues.collection
// clause: browse.queue.status browse.subtree.status browse.subtree.prefix browse.listing.slash
export const browse: Act<Reply | Promise<Reply>> = (context, request, rest = '') => {
  if (rest === '') return listing(context, request, '')
  if (rest.endsWith('/')) return listing(context, request, queueNameOf(rest.slice(0, -1)))
  const name = queueNameOf(rest)
  try {
    return queueMessages(context, request, name)
  } catch (error) {
    if (!isRefusal(error, 'unknown-queue')) throw error
    return categoryOr(error, context, request, name)
  }
}

/** Create a queue: 201 with its address, new or not, since creating is idempotent. */
// clause: queues.create.status queues.create.location queues.create.again.status queues.create.again.location
export const createQueue: Act = (context, request) => {
  const { queue } = context.broker.createQueue(queueDefinition(request))
  return { status: 201, headers: { Location: linksOf(context, request).queue(queue.name) } }
}

/** Delete a queue. */
// clause: queues.delete.status http.delete-bodies
export const deleteQueue: Act = ({ broker }, _, rest) => {
  broker.deleteQueue(queueNameOf(rest))
  return { status: 200 }
}

/** What stands at the queues, or at a path below, for preconditions; nothing where a send may make a queue of it first. */
export const stateOfPath: Act<TargetState | undefined> = (context, request, rest = '') => {
  const category = rest.endsWith('/') ? rest.slice(0, -1) : rest
  if (rest === category && rest !== '') {
    try {
      const asked = askedPage(request, context)
      const { queue } = browsePage(context, queueNameOf(rest), { ...asked, size: 1 })
      return {
        etags: (['atom', 'html'] as const).map((form) => queueETag(queue, asked, form)),
        modifiedAt: queue.updatedAt,
      }
    } catch (error) {
      if (!isRefusal(error, 'unknown-queue')) throw error
      if (request.method === 'POST') return undefined
    }
  }
  const forms = listingForms(context, request, queueNameOf(category))
  return { etags: [hashETag(forms.atom()), hashETag(forms.html())] }
}

/** The listing of a name that is no queue; where it is no category either, the queue is what was not found. */
// clause: browse.unknown
function categoryOr(unknownQueue: unknown, context: MappingContext, request: Request, name: string): Reply {
  try {
    return listing(context, request, name)
  } catch (error) {
    throw isRefusal(error, 'unknown-path') ? unknownQueue : error
  }
}

function isRefusal(error: unknown, kind: RefusalKind): boolean {
  return error instanceof Refusal && error.kind === kind
}

// clause: browse.listing-validator
function listing(context: MappingContext, request: Request, category: string): Reply {
  const forms = listingForms(context, request, category)
  // Counts of every queue listed stand in it, so nothing less than the whole feed tells whether it changed.
  return feedReply(request, (form) => hashETag(forms[form]()), forms)
}

function listingForms(
  context: MappingContext,
  request: Request,
  category: string,
): { readonly atom: () => Written; readonly html: () => Written } {
  const { broker, limits, seed = '' } = context
  const asked = askedPage(request, context)
  const ask = (limit: number) => broker.listQueues(category, { cursor: asked.cursor, limit })
  const page = ask(asked.size)
  const name = withSlashes(category)
  const links = linksOf(context, request)
  const making = {
    ...asked,
    seed,
    maxBytes: limits.maxPageBytes,
    nextAfter: (items: number) => ask(items).next,
  }
  return {
    atom: once(() => listingFeed(name, page, links, making)),
    html: once(() => listingPage(name, page, links, making)),
  }
}

/** It is asked for its tag and for itself, and made once. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

// clause: consume.wait.queue
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

type QueuePage = ReturnType<MappingContext['broker']['browse']>

function browsePage({ broker }: MappingContext, name: string, { cursor, size }: AskedPage): QueuePage {
  return broker.browse(name, { cursor, limit: size })
}

function someOf(page: QueuePage): QueuePage | undefined {
  return page.items.length > 0 ? page : undefined
}

function queueReply(
  context: MappingContext,
  request: Request,
  asked: AskedPage,
  page: QueuePage,
  wait: number | undefined,
): Reply {
  const { queue } = page
  const links = linksOf(context, request)
  const making = {
    ...asked,
    maxBytes: context.limits.maxPageBytes,
    nextAfter: (items: number) => browsePage(context, queue.name, { ...asked, size: items }).next,
  }
  const share = (etag: string, make: () => Written) =>
    context.scheduler.share(`${etag} ${links.queues()}`, make)
  const forms = {
    atom: (etag: string) => share(etag, () => queueFeed(page, links, making)),
    html: (etag: string) => share(etag, () => queuePage(page, links, making)),
  }
  return feedReply(request, (form) => queueETag(queue, asked, form), forms, appliedWait(wait))
}

// clause: browse.validator
function queueETag({ id, version }: QueuePage['queue'], asked: AskedPage, form: string): string {
  return makeETag(id, version, asked.cursor ?? '', asked.size, form)
}
