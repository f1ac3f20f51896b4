import t from 'tap'
import { DEFAULT_PROFILE, parseProfile } from './parse-profile.js'
import { profileJson, unknownFeature } from './profile.js'
import { ProfileError } from './profile-fields.js'

t.test('an empty profile has the default of every field', async (t) => {
  t.strictSame(parseProfile({}), {
    name: '',
    features: {
      subtree: true,
      'dotted-names': true,
      guid: true,
      wildcards: true,
      selector: true,
      'single-path': false,
      'one-at-a-time': false,
      batch: false,
      'ack-in-post': false,
      auth: false,
    },
    headers: {},
    unauthorized: [{}],
    createQueue: { headers: { 'Content-Type': 'text/plain' }, body: '{name}' },
    queueNames: { form: 'path', characters: null, maxLength: null, maxSegments: null, prefix: '' },
    message: {
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      body: '{text}',
      arrives: 'same',
      maxBytes: null,
    },
    guid: { form: 'text', maxLength: null },
    subscription: {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      parameters: {
        destination: 'destination',
        prefetch: 'prefetch',
        selector: 'selector',
        timeout: 'timeout',
      },
      separator: null,
      destination: '{path}',
      fixed: {},
      timeoutFormat: '{s}',
      leaseSeconds: 2,
      maxLeaseSeconds: 120,
      maxPrefetch: 10,
      renewedBy: ['read'],
      wildcard: '{prefix}/*',
      selector: {
        expression: "colour = 'red'",
        matching: { 'Property-Colour': 'red' },
        other: { 'Property-Colour': 'blue' },
      },
    },
    messageUri: 'link[rel=edit]',
    oneAtATime: { messageId: 'header:Message-Id' },
    settleSeconds: 0,
    requestsPerSecond: null,
    unknown: [],
  })
  t.strictSame(DEFAULT_PROFILE, parseProfile({}))
})

const WHOLE = {
  name: 'mine',
  features: {
    subtree: false,
    'dotted-names': false,
    guid: false,
    wildcards: false,
    selector: false,
    'single-path': true,
    'one-at-a-time': true,
    batch: true,
    'ack-in-post': true,
    auth: true,
  },
  headers: { Authorization: 'Bearer owner' },
  unauthorized: [{}, { Authorization: 'Bearer other' }],
  createQueue: { headers: { 'Content-Type': 'application/json' }, body: '{"n":"{name}"}' },
  queueNames: { form: 'dotted', characters: 'a-z0-9-', maxLength: 32, maxSegments: 2, prefix: 'kit' },
  message: {
    headers: { 'Content-Type': 'application/json' },
    body: '{"m":"{text}"}',
    arrives: 'contains',
    maxBytes: 1024,
  },
  guid: { form: 'uuid', maxLength: 36 },
  subscription: {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
    parameters: { destination: 'd', prefetch: null, selector: null, timeout: null },
    separator: ',',
    destination: '{dotted}',
    fixed: { kind: 'x' },
    timeoutFormat: 'PT{min}M',
    leaseSeconds: 60,
    maxLeaseSeconds: 600,
    maxPrefetch: 3,
    renewedBy: [],
    wildcard: '{prefix}.*',
    selector: { expression: 'a = 1', matching: { 'X-A': '1' }, other: {} },
  },
  messageUri: 'id',
  oneAtATime: { messageId: 'location' },
  settleSeconds: 0.5,
  requestsPerSecond: 100,
  clock: { advance: { method: 'PUT', path: '/tick', body: '{ms}', headers: { 'X-A': 'b' } } },
}

t.test('a whole profile is read as it is', async (t) => {
  t.strictSame(parseProfile(WHOLE), { ...WHOLE, unknown: [] })
  t.strictSame(profileJson(parseProfile(WHOLE)), WHOLE)
})

t.test('a clock is one only where it is given, and has defaults of its own', async (t) => {
  t.notOk('clock' in parseProfile({}))
  t.strictSame(parseProfile({ clock: {} }).clock, {
    advance: {
      method: 'POST',
      path: '/_control/clock',
      body: '{"advance":{ms}}',
      headers: { 'Content-Type': 'application/json' },
    },
  })
})

t.test('each form of a field is taken', async (t) => {
  for (const messageUri of ['link[rel=x-ack]', 'id', 'content'])
    t.equal(parseProfile({ messageUri }).messageUri, messageUri)
  for (const messageId of ['header:X-Id', 'json:id', 'location', 'entry']) {
    t.equal(parseProfile({ oneAtATime: { messageId } }).oneAtATime.messageId, messageId)
  }
  for (const timeoutFormat of ['{s}', '{ms}', '{min}', '{s}s', 'PT{s}S']) {
    t.equal(parseProfile({ subscription: { timeoutFormat } }).subscription.timeoutFormat, timeoutFormat)
  }
  for (const destination of ['{path}', '{dotted}', '{address}', 'queue:{path}']) {
    t.equal(parseProfile({ subscription: { destination } }).subscription.destination, destination)
  }
  t.equal(
    parseProfile({ subscription: { wildcard: '{dottedPrefix}.*' } }).subscription.wildcard,
    '{dottedPrefix}.*',
  )
})

t.test('destinations have dots where names do, unless it is said how they are written', async (t) => {
  const queueNames = { form: 'dotted' }
  const { destination, wildcard } = parseProfile({ queueNames }).subscription
  t.strictSame([destination, wildcard], ['{dotted}', '{dottedPrefix}.*'])
  const own = { destination: '{path}', wildcard: '{prefix}/#' }
  t.match(parseProfile({ queueNames, subscription: own }).subscription, own)
})

t.test('what is unknown has its default, is told, and is written as unknown again', async (t) => {
  const given = {
    features: { guid: 'unknown' },
    createQueue: 'unknown',
    subscription: { leaseSeconds: 'unknown', parameters: { destination: 'unknown' } },
    clock: 'unknown',
  }
  const read = parseProfile(given)
  t.strictSame([...read.unknown].sort(), [
    'clock',
    'createQueue',
    'features.guid',
    'subscription.leaseSeconds',
    'subscription.parameters.destination',
  ])
  t.match(read, {
    features: { guid: false, wildcards: true },
    createQueue: { body: '{name}' },
    subscription: { leaseSeconds: 2 },
  })
  t.notOk('clock' in read)
  const written = profileJson(read)
  t.match(written, {
    features: { guid: 'unknown' },
    createQueue: 'unknown',
    subscription: { leaseSeconds: 'unknown' },
  })
  t.strictSame(profileJson(parseProfile(written)), written)
})

t.test('a feature of which nobody knows is not relied on, and is told', async (t) => {
  const one = parseProfile({
    features: { selector: 'unknown' },
    subscription: { parameters: { selector: null } },
  })
  t.match(one.features, { selector: false, guid: true })
  t.equal(unknownFeature(one, 'selector'), "the profile's features.selector is unknown: fill it in")
  t.strictSame([unknownFeature(one, 'guid'), unknownFeature(one, null)], [undefined, undefined])
  const all = parseProfile({ features: 'unknown' })
  t.match(all.features, { guid: false, batch: false })
  t.match(unknownFeature(all, 'guid'), /features\.guid is unknown/)
  const unasked = parseProfile({ subscription: { parameters: { prefetch: 'unknown' } } })
  t.equal(unasked.subscription.parameters.prefetch, null, 'none is asked for')
  t.strictSame(unasked.unknown, ['subscription.parameters.prefetch'])
})

/** A profile with one bad value at a path. */
function withBad(path: string, value: unknown): unknown {
  const keys = path.split('.')
  return keys.reduceRight((inner, key) => ({ [key]: inner }), value)
}

function refusal(value: unknown): ProfileError {
  try {
    parseProfile(value)
  } catch (error) {
    if (error instanceof ProfileError) return error
    throw error
  }
  throw new Error('the profile was taken')
}

const BAD: [path: string, value: unknown, named?: string][] = [
  ['name', 1],
  ['features', []],
  ['features.guid', 'yes'],
  ['features.unknown', true],
  ['headers', 'x'],
  ['headers.Authorization', 1],
  ['headers.bad name', 'x'],
  ['headers.X-A', 'line\nbreak'],
  ['unauthorized', {}],
  ['unauthorized', [1], 'unauthorized[0]'],
  ['unauthorized', [{}, { A: null }], 'unauthorized[1].A'],
  ['createQueue', null],
  ['createQueue.headers', []],
  ['createQueue.body', 3],
  ['createQueue.method', 'PUT'],
  ['subscription', 'x'],
  ['subscription.parameters', 1],
  ['subscription.parameters.destination', ''],
  ['subscription.parameters.destination', null],
  ['subscription.parameters.prefetch', 4],
  ['subscription.parameters.selector', 4],
  ['subscription.parameters.timeout', ''],
  ['subscription.parameters.lease', 'x'],
  ['subscription.fixed', { a: 1 }, 'subscription.fixed.a'],
  ['subscription.timeoutUnit', 's'],
  ['subscription.timeoutFormat', '{h}'],
  ['subscription.timeoutFormat', '30s'],
  ['subscription.separator', ''],
  ['subscription.destination', 'queue'],
  ['subscription.headers', []],
  ['subscription.maxPrefetch', 0],
  ['subscription.maxLeaseSeconds', 0],
  ['queueNames.form', 'flat'],
  ['queueNames.characters', 'z-a'],
  ['queueNames.maxLength', 1.5],
  ['queueNames.maxSegments', 0],
  ['queueNames.prefix', null],
  ['message.body', 'always the same'],
  ['message.arrives', 'perhaps'],
  ['message.maxBytes', '1'],
  ['guid.form', 'number'],
  ['guid.maxLength', -1],
  ['requestsPerSecond', 0],
  ['subscription.leaseSeconds', 0],
  ['subscription.leaseSeconds', -1],
  ['subscription.leaseSeconds', '2'],
  ['subscription.leaseSeconds', Number.POSITIVE_INFINITY],
  ['subscription.renewedBy', 'read'],
  ['subscription.renewedBy', ['read', 'write'], 'subscription.renewedBy[1]'],
  ['subscription.wildcard', 'all'],
  ['subscription.selector', 'x'],
  ['subscription.selector.expression', ''],
  ['subscription.selector.matching', { 'Property-A': 1 }, 'subscription.selector.matching.Property-A'],
  ['subscription.selector.other', 1],
  ['messageUri', 'link'],
  ['messageUri', 'link[rel=]'],
  ['oneAtATime', 1],
  ['oneAtATime.messageId', 'header:'],
  ['oneAtATime.messageId', 'json:'],
  ['settleSeconds', -0.1],
  ['settleSeconds', Number.NaN],
  ['clock', true],
  ['clock.now', 1],
  ['clock.advance', 'x'],
  ['clock.advance.method', 'post'],
  ['clock.advance.path', 'tick'],
  ['clock.advance.body', 'no time'],
  ['clock.advance.headers', 1],
  ['colour', 'red'],
]

for (const [path, value, named = path] of BAD) {
  t.test(`${path}: ${JSON.stringify(value)} is refused by name`, async (t) => {
    const error = refusal(withBad(path, value))
    t.ok(error.message.startsWith(`${named} `), error.message)
    t.match(error.message, /^[^\n]+\.$/, 'one sentence')
  })
}

t.test('what is no object is no profile', async (t) => {
  for (const value of [null, [], 'x', 1])
    t.match(refusal(value).message, /^The profile is .* must be an object\.$/)
  t.match(refusal(undefined).message, /^The profile is undefined/)
})

t.test('a long value is cut in the sentence', async (t) => {
  t.match(refusal({ messageUri: 'x'.repeat(1000) }).message, /^.{100,150}$/)
})

t.test('claims that contradict the rest are refused', async (t) => {
  t.match(refusal({ subscription: { parameters: { selector: null } } }).message, /features\.selector is true/)
  t.match(refusal({ features: { auth: true }, unauthorized: [] }).message, /features\.auth is true/)
  t.ok(parseProfile({ unauthorized: [] }))
})
