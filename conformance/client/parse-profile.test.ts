import t from 'tap'
import { DEFAULT_PROFILE, parseProfile } from './parse-profile.js'
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
    subscription: {
      parameters: {
        destination: 'destination',
        prefetch: 'prefetch',
        selector: 'selector',
        timeout: 'timeout',
      },
      fixed: {},
      timeoutUnit: 's',
      leaseSeconds: 2,
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
  subscription: {
    parameters: { destination: 'd', prefetch: 'p', selector: null, timeout: null },
    fixed: { kind: 'x' },
    timeoutUnit: 'min',
    leaseSeconds: 60,
    renewedBy: [],
    wildcard: '{prefix}.*',
    selector: { expression: 'a = 1', matching: { 'X-A': '1' }, other: {} },
  },
  messageUri: 'id',
  oneAtATime: { messageId: 'location' },
  settleSeconds: 0.5,
  clock: { advance: { method: 'PUT', path: '/tick', body: '{ms}', headers: { 'X-A': 'b' } } },
}

t.test('a whole profile is read as it is', async (t) => {
  t.strictSame(parseProfile(WHOLE), WHOLE)
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
  for (const messageId of ['header:X-Id', 'location', 'entry']) {
    t.equal(parseProfile({ oneAtATime: { messageId } }).oneAtATime.messageId, messageId)
  }
  for (const timeoutUnit of ['s', 'ms', 'min']) {
    t.equal(parseProfile({ subscription: { timeoutUnit } }).subscription.timeoutUnit, timeoutUnit)
  }
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
  ['subscription.timeoutUnit', 'h'],
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
