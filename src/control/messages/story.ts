import type { DeliveryEnd, DeliveryRecord, MessageRecord } from './message-record.js'

const ENDS: Readonly<Record<DeliveryEnd, (name: string, since: string) => string>> = {
  acknowledged: (name, at) => `${name} acknowledged it at ${at}`,
  'lease-expired': (name, at) => `${name}'s lease ended at ${at}`,
  'lease-deleted': (name, at) => `${name} was deleted at ${at}`,
  'queue-deleted': (_, at) => `its queue was deleted at ${at}`,
  unsubscribed: (name, at) => `${name} no longer covered its queue at ${at}`,
}

/** How many events of a life are told from its beginning and from its end. */
const FIRST = 8
const LAST = 4

/** A guid that nobody would know by heart. */
const RANDOM = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * The life of a message as one sentence: "order-1 was sent to orders/new at 0 s, was handed to B at 3.2 s, B's lease
 * ended at 33.2 s, nobody took it since".
 *
 * @param start from when on seconds are counted, in milliseconds since the epoch
 */
export function storyOf(record: MessageRecord, start: number): string {
  const { guid, queue, sequence, sentAt, deliveries, delivered, acknowledgedAt, status } = record
  const at = (time: number) => `${Math.round(time - start) / 1000} s`
  const more = delivered - deliveries.length - (status === 'taken' ? 1 : 0)
  const events = deliveries.flatMap((delivery) => eventsOf(delivery, at))
  events.sort((one, other) => one.time - other.time)
  return [
    `${guid === null || RANDOM.test(guid) ? `message ${sequence} of ${queue}` : guid} was sent to ${queue} at ${at(sentAt)}`,
    ...shortened(events.map(({ text }) => text)),
    ...(more > 0 ? [`was handed out ${more} times more`] : []),
    ...(status === 'taken' ? [`was taken without a lease at ${at(acknowledgedAt ?? sentAt)}`] : []),
    ...(status === 'lost' && deliveries.at(-1)?.how !== 'queue-deleted' ? ['went with its queue'] : []),
    ...(status === 'held' ? ['is still held'] : []),
    ...(status === 'ready' ? [delivered === 0 ? 'nobody took it' : 'nobody took it since'] : []),
  ].join(', ')
}

/** Of a long life its beginning and its end. */
function shortened(events: readonly string[]): readonly string[] {
  const left = events.length - FIRST - LAST
  return left <= 1 ? events : [...events.slice(0, FIRST), `${left} such events more`, ...events.slice(-LAST)]
}

function eventsOf(
  { name, at: began, endedAt, how }: DeliveryRecord,
  at: (time: number) => string,
): { readonly time: number; readonly text: string }[] {
  const events = [{ time: began, text: `was handed to ${name} at ${at(began)}` }]
  if (endedAt !== null && how !== null) events.push({ time: endedAt, text: ENDS[how](name, at(endedAt)) })
  return events
}
