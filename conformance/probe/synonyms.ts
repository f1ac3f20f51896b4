/** What implementations call what the document leaves unnamed, likeliest first. */
export const SYNONYMS = {
  queueName: ['name', 'queue', 'label', 'id', 'title', 'path', 'destination', 'queueName', 'queue_name'],
  destination: [
    'destination',
    'destinations',
    'queue',
    'queues',
    'target',
    'topic',
    'from',
    'source',
    'name',
    'path',
    'address',
    'channel',
    'subject',
    'destination[]',
    'dest',
    'to',
  ],
  prefetch: [
    'prefetch',
    'prefetchCount',
    'prefetch_count',
    'prefetch-count',
    'prefetchSize',
    'prefetch_size',
    'prefetchBuffer',
    'prefetch_buffer',
    'qos',
    'buffer',
    'bufferSize',
    'buffer_size',
    'max',
    'limit',
    'seats',
    'credit',
    'window',
    'capacity',
    'count',
    'max_unacked',
    'maxUnacked',
    'max_messages',
    'maxMessages',
    'max_in_flight',
    'maxInFlight',
    'max_inflight',
    'inflight',
    'credits',
  ],
  selector: ['selector', 'filter', 'where', 'query', 'expression', 'match', 'only', 'condition'],
  timeout: [
    'timeout',
    'lease',
    'ttl',
    'expires',
    'expiry',
    'timeout_ms',
    'timeoutMs',
    'lease_ms',
    'leaseMs',
    'leaseSeconds',
    'lease_seconds',
    'duration',
    'keepalive',
    'visibility',
  ],
} as const

const QUOTED = /["'`“‘]([A-Za-z][\w.-]{0,39})["'`”’]/g
const NAMED = /\b(?:parameter|field|property|attribute|key)\s+([A-Za-z][\w-]{0,39})/gi
const LACKING =
  /\b([A-Za-z][\w-]{0,39})\s+(?:is|are|must be)\s+(?:required|missing|mandatory|needed|given|empty)\b/gi
const LACKED = /\b(?:missing|required|requires|needs|lacks)[:\s]+(?:(?:an?|the)\s+)?([A-Za-z][\w-]{0,39})/gi
const FIELD = /^[A-Za-z][\w.[\]-]{0,39}$/
const MEMBERS = ['parameter', 'field', 'name', 'pointer', 'property', 'param', 'path']

/** Fields that are looked at, of those that refusals name. */
const MOST = 10

/** Fields that refusals name beside those that are known. */
export function otherFields(refusals: readonly string[], known: readonly (string | null)[]): string[] {
  return [...new Set(refusals.flatMap(namedFields))].filter((field) => !known.includes(field)).slice(0, MOST)
}

/**
 * Words in a refusal that may be names of fields: in quotes, after "field" and the like, said to be missing, or in the
 * members that problem details use for them.
 */
export function namedFields(refusal: string): string[] {
  const texts: string[] = []
  const words: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    if (typeof value !== 'object' || value === null) return
    for (const [key, each] of Object.entries(value)) {
      if (typeof each === 'string' && MEMBERS.includes(key)) words.push(each.replace(/^[#/]+/, ''))
      else collect(each)
    }
  }
  try {
    collect(JSON.parse(refusal))
  } catch {
    texts.push(refusal)
  }
  for (const text of texts) {
    for (const pattern of [QUOTED, NAMED, LACKING, LACKED])
      words.push(...[...text.matchAll(pattern)].map((found) => found[1]!))
  }
  return [...new Set(words)].filter((word) => FIELD.test(word)).slice(0, 20)
}
