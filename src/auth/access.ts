import type { Role } from './principal.js'

/** Who may make one kind of request. */
export interface Access {
  /** One of these is needed; `any` for every principal. */
  readonly roles: readonly Role[] | 'any'
  /** Only who made the lease that the first `:name` of the pattern stands for, where this is given. */
  readonly owner?: 'subscription' | 'consumer'
  /** Whether an `admin` may make it for what is somebody else's: to look, never to touch. */
  readonly look?: true
}

const ANY: Access = { roles: 'any' }
const PRODUCE: Access = { roles: ['produce'] }
const CONSUME: Access = { roles: ['consume'] }
const BROWSE: Access = { roles: ['consume', 'admin'] }
// clause: auth.ack auth.delete
const OWN: Access = { roles: ['consume'], owner: 'subscription' }
const ADMIN: Access = { roles: ['admin'] }
// clause: auth.feed.other auth.feed.owner auth.message auth.content auth.pages
const LOOK: Access = { roles: ['consume', 'admin'], owner: 'subscription', look: true }
const OWN_CONSUMER: Access = { roles: ['consume'], owner: 'consumer' }
const LOOK_CONSUMER: Access = { roles: ['consume', 'admin'], owner: 'consumer', look: true }

/**
 * Who may do what, for every method of every route (`chosen`; section 5 states only that a consumer's feed is
 * not for everybody). A route that is missing here is refused to all.
 */
// clause: auth.roles
export const ACCESS: Readonly<Record<string, Access>> = {
  'GET /': ANY,
  'GET /queues': ANY,
  // Making a queue only makes a name that others can post to; deleting one deletes messages.
  'POST /queues': { roles: ['produce', 'admin'] },
  'GET /queues/**': BROWSE,
  'POST /queues/**': PRODUCE,
  'DELETE /queues/**': { roles: ['admin'] },
  'POST /addresses/:address': PRODUCE,
  'GET /subscriptions': ANY,
  'POST /subscriptions': CONSUME,
  'GET /subscriptions/:subscription': LOOK,
  'POST /subscriptions/:subscription': OWN,
  'DELETE /subscriptions/:subscription': OWN,
  'GET /subscriptions/:subscription/messages/:message': LOOK,
  'DELETE /subscriptions/:subscription/messages/:message': OWN,
  'GET /subscriptions/:subscription/messages/:message/content': LOOK,
  'GET /messages/:message': BROWSE,
  'GET /messages/:message/content': BROWSE,

  'GET /queue/**': CONSUME,
  'POST /queue/**': PRODUCE,

  'POST /subscribe/:consumer/**': OWN_CONSUMER,
  'POST /unsubscribe/:consumer/**': OWN_CONSUMER,
  'POST /nextMessageForMe/:consumer': OWN_CONSUMER,
  'POST /ack/:consumer/:message': OWN_CONSUMER,

  'POST /lockNextMessage/:consumer': OWN_CONSUMER,
  'GET /message/:consumer/:message': LOOK_CONSUMER,
  'DELETE /:consumer/messages/:message': OWN_CONSUMER,

  // The extras of the mock broker, where they are switched on.
  'GET /_control/clock': ADMIN,
  'POST /_control/clock': ADMIN,
  'GET /_control/dialect': ADMIN,
  'POST /_control/dialect': ADMIN,
  'GET /_control/faults': ADMIN,
  'POST /_control/faults': ADMIN,
  'DELETE /_control/faults': ADMIN,
  'GET /_control/faults/:fault': ADMIN,
  'DELETE /_control/faults/:fault': ADMIN,
  'GET /_control/journal': ADMIN,
  'DELETE /_control/journal': ADMIN,
  'POST /_control/journal/wait': ADMIN,
  'POST /_control/journal/expect-none': ADMIN,
  'GET /_control/journal/scenario': ADMIN,
  'GET /_control/journal/stream': ADMIN,
  'GET /_control/lanes': ADMIN,
  'POST /_control/verify': ADMIN,
  'POST /_control/idle': ADMIN,
  'GET /_control/state': ADMIN,
  'POST /_control/reset': ADMIN,
  'GET /_control/client': ADMIN,
  'POST /_control/client': ADMIN,
  'GET /_control/seed': ADMIN,
  'GET /_control/subscriptions': ADMIN,
  'POST /_control/subscriptions/end': ADMIN,
  'POST /_control/subscriptions/:lease/end': ADMIN,
  'GET /_control/messages': ADMIN,
  'POST /_control/messages/wait': ADMIN,
  'POST /_control/messages/expect': ADMIN,
  'POST /_control/messages/expect-handled-once': ADMIN,
  'POST /_control/seed': ADMIN,
  'GET /_control': ADMIN,
  'GET /_control/': ADMIN,
  'GET /_control/page/:asset': ADMIN,
}
