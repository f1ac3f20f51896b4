import type { Clause } from './clause.js'

/** Section 4.2: remarks on all the alternative mappings, and acknowledgements in a POST. */
export const ALTERNATIVES = [
  {
    id: 'purpose.alternatives',
    section: '4.2',
    grade: 'stated',
    text: 'The alternative mappings are listed beside the primary one, and are not the primary mapping.',
    unchecked: 'It is a remark on the interface, and asks nothing of a server.',
  },
  {
    id: 'ack-in-post.acknowledges',
    section: '4.2',
    grade: 'optional',
    text: 'Acknowledgements carried in the body of a POST acknowledge their messages.',
    feature: 'ack-in-post',
  },
  {
    id: 'ack-in-post.next-batch',
    section: '4.2',
    grade: 'optional',
    text: 'The POST that carries acknowledgements answers with the next messages.',
    feature: 'ack-in-post',
  },
  {
    id: 'ack-in-post.only',
    section: '4.2',
    grade: 'optional',
    text: 'Acknowledgements in a POST leave the messages that they do not name alone.',
    feature: 'ack-in-post',
  },
  {
    id: 'ack-in-post.final',
    section: '4.2',
    grade: 'optional',
    text: 'A message acknowledged in a POST comes back to nobody.',
    feature: 'ack-in-post',
  },
  {
    id: 'ack-in-post.subscription',
    section: '4.2',
    grade: 'chosen',
    text: "A POST of a `text/uri-list` of message URIs to a subscription's URI is answered with 200 and the subscription's feed.",
    feature: 'ack-in-post',
  },
  {
    id: 'ack-in-post.all-or-none',
    section: '4.2',
    grade: 'chosen',
    text: 'Where one message of the list is not held by the subscription, none is acknowledged.',
    feature: 'ack-in-post',
  },
  {
    id: 'ack-in-post.refused',
    section: '4.2',
    grade: 'chosen',
    text: 'A list with messages that the subscription does not hold is refused with 422, and the answer lists them.',
    feature: 'ack-in-post',
  },
  {
    id: 'ack-in-post.media-type',
    section: '4.2',
    grade: 'chosen',
    text: 'Acknowledgements in a body of another media type are refused with 415.',
    feature: 'ack-in-post',
  },
  {
    id: 'ack-in-post.batch',
    section: '4.2',
    grade: 'chosen',
    text: 'A `text/uri-list` in the body of `/lockNextMessage` acknowledges those messages, all or none, before the next batch is locked.',
    feature: 'ack-in-post',
  },
  {
    id: 'consume.any-mapping',
    section: '4.2',
    grade: 'chosen',
    text: 'A message sent by one mapping can be consumed by any other, and has one holder whatever mapping took it.',
  },
] as const satisfies readonly Clause[]
