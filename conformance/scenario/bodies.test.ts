import t from 'tap'
import { FreshMessages } from '../client/fresh-messages.js'
import { parseProfile } from '../client/parse-profile.js'
import type { Speaker } from '../client/speaker.js'
import { Bodies, difference } from './bodies.js'
import type { Made } from './step.js'

/** A message of a scenario at a target, with another that has a body of its own. */
function sent(arrives: 'same' | 'contains', made: Made) {
  const profile = parseProfile({ message: { arrives } })
  const messages = new FreshMessages(profile)
  const speaker = { profile, messageText: (body: Buffer) => messages.textOf(body) } as unknown as Speaker
  const bodies = new Bodies(speaker, messages, () => 'kit-0123456789-1')
  bodies.make('m0', {})
  bodies.make('m1', made)
  messages.post(bodies.get('m1').body)
  return bodies
}

/** What a body is called that arrived for it. */
function called(arrives: 'same' | 'contains', made: Made, got: string, encoding: BufferEncoding = 'utf8') {
  try {
    return sent(arrives, made).nameOf(Buffer.from(got, encoding)) ?? 'unknown'
  } catch (error) {
    return (error as Error).name
  }
}

t.test('a body arrives as it was sent, or within what the profile says', (t) => {
  const latin1: Made = {
    bytes: 'caf\u00e9',
    headers: [['Content-Type', 'text/plain; charset=ISO-8859-1']],
  }
  t.equal(called('same', { body: 'a b' }, 'a b'), 'm1')
  t.equal(called('same', { body: 'a b' }, '{"a":"a b"}'), 'unknown')
  t.equal(called('same', { bytes: '\u00ff' }, '\u00ff', 'latin1'), 'm1')
  t.equal(called('same', { bytes: '\u00ff' }, '\u00fe', 'latin1'), 'unknown', 'neither is a text')
  t.equal(called('same', latin1, 'caf\u00e9', 'latin1'), 'm1')
  t.equal(called('same', latin1, 'caf\u00e9'), 'm1', 'the same in UTF-8')
  t.equal(called('same', { ...latin1, headers: [] }, 'caf\u00e9'), 'unknown')
  t.equal(called('contains', { body: 'a b\n' }, '{"a":"a b\\n"}'), 'm1')
  t.equal(called('contains', { body: 'a b\n' }, '{"a":"a b"}'), 'unknown')
  t.equal(called('contains', { body: '007.10' }, '{"a":7.1}'), 'unknown')
  t.equal(called('contains', { body: '0' }, '<a b="base64">MA==</a>'), 'm1', 'short, and just that')
  t.equal(called('contains', { body: '0' }, '<a b="base64">MQ==</a>'), 'unknown')
  const short = sent('contains', { body: '0' })
  const packed = short.get('m0').body.toString('base64')
  t.match(packed, /0/, 'by chance')
  t.equal(short.nameOf(Buffer.from(`{"a":"${packed}"}`)), 'm0')
  t.equal(called('contains', { bytes: 'kit\0' }, '{"a":"6b697400"}'), 'NotApplicable')
  t.equal(called('contains', { empty: true }, '{}'), 'NotApplicable')
  t.end()
})

t.test('what a step says is repeated up to its size, and what is long has no part twice', (t) => {
  const every = sent('same', { every: true, size: 1000 }).get('m1').body
  t.equal(every.length, 1000)
  t.equal(new Set(every).size, 256)
  t.equal(sent('same', { body: 'ab', size: 5 }).get('m1').text, 'ababa')
  t.equal(sent('same', { body: 'abcdef', size: 5 }).get('m1').text, 'abcdef')
  const { text } = sent('same', { size: 5000 }).get('m1')
  t.equal(text.length, 5000)
  t.equal(text.indexOf(text.slice(2000, 2020), 2001), -1)
  t.end()
})

t.test('the type of what a step says is that of a text or of bytes, unless the step says another', (t) => {
  const typeOf = (made: Made) => sent('same', made).get('m1').fields['Content-Type']
  t.equal(typeOf({}), undefined)
  t.equal(typeOf({ empty: true }), undefined)
  t.equal(typeOf({ body: 'a' }), 'text/plain; charset=utf-8')
  t.equal(typeOf({ every: true }), 'application/octet-stream')
  t.equal(typeOf({ body: '{}', headers: [['Content-Type', 'application/json']] }), 'application/json')
  t.end()
})

t.test('what a target may refuse is all but a text that is not long', (t) => {
  const mayBe = (made: Made) => sent('same', made).get('m1').mayBeRefused
  t.notOk(mayBe({}))
  t.notOk(mayBe({ body: 'a' }))
  t.notOk(mayBe({ like: 'm0' }))
  t.ok(mayBe({ size: 2000 }))
  t.ok(mayBe({ empty: true }))
  t.ok(mayBe({ bytes: 'a' }))
  t.ok(mayBe({ every: true }))
  t.ok(mayBe({ body: 'a', headers: [['Content-Type', 'text/plain']] }))
  t.end()
})

t.test('an unknown body is told by what it differs in from a message that is given or long', (t) => {
  const tell = (made: Made, got: string) => sent('same', made).tell(Buffer.from(got))
  t.equal(tell({}, 'x'), undefined)
  t.match(tell({ body: 'one two' }, 'one'), 'm1 with 3 of 7 bytes; from byte 3 on "one" stands for "one two"')
  t.match(tell({ size: 2000 }, 'm1 0 1'), 'm1 with 6 of 2000 bytes')
  t.equal(sent('contains', { body: 'a' }).tell(Buffer.from('b')), undefined)
  const several = sent('same', { body: 'a long text' })
  several.make('m2', { body: '007' })
  several.make('m3', { body: 'another' })
  t.match(several.tell(Buffer.from('7')), 'm2 with 1 of 3 bytes', 'where none begins alike, by its length')
  t.end()
})

t.test('a difference names the first byte that is another, and shows both sides', (t) => {
  const told = difference(Buffer.from('one\r\ntwo'), Buffer.from('one\ntwo'))
  t.equal(told, '7 of 8 bytes; from byte 3 on "one\\ntwo" stands for "one\\r\\ntwo"')
  t.match(difference(Buffer.from('abc'), Buffer.alloc(0)), 'from byte 0 on nothing stands for "abc"')
  t.match(difference(Buffer.from('ab'), Buffer.from('abc')), 'from byte 2 on "abc"')
  t.end()
})
