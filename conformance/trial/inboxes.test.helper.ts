import type { FakeBroker } from './fake-broker.test.helper.js'

/** Has a broker name an address for each of its queues that takes posts alone; what is read and deleted is at the queue's path. */
export function giveInboxes(broker: FakeBroker): void {
  broker.intercept = (got) => {
    const { method, path } = got
    const isInbox = path.startsWith('/mq/inbox/')
    if (isInbox && method !== 'POST') return { status: 405 }
    const isQueue = method === 'POST' && path === '/mq/queues'
    if (!isInbox && !isQueue) return undefined
    const answer = broker.answer({ ...got, path: path.replace('/inbox/', '/queues/') })
    const location = answer.headers?.Location
    if (!isQueue || typeof location !== 'string') return answer
    return { ...answer, headers: { Location: location.replace('/queues/', '/inbox/') } }
  }
}
