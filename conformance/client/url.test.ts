import t from 'tap'
import { lastSegment } from '../trial/addresses.js'
import { isTooLong, LONGEST_ADDRESS, parseUrl, withoutSlashes } from './url.js'

/** Characters of which a name of a host takes the square of their number to be read. */
const strange = (count: number) =>
  String.fromCharCode(...Array.from({ length: count }, (_, n) => 0x4e00 + ((n * 7919) % 20_000)))

t.test('a reference that is longer than the kit reads is none, and none of its length is read', (t) => {
  const base = 'http://target.test/mq/'
  for (const [reference, tooLong] of [
    ['a'.repeat(LONGEST_ADDRESS), false],
    ['a'.repeat(LONGEST_ADDRESS + 1), true],
    [`/${strange(2000)}`, false],
    [`${'a'.repeat(2000)}//${'b'.repeat(2000)}`, false],
    [`http://${'a'.repeat(63)}.test/${'b'.repeat(2000)}`, false],
    [`http://${strange(1000)}/`, true],
    [`//${strange(1000)}`, true],
    [`ht\ntp:\\\\${strange(1000)}`, true],
    [`http:${strange(1000)}`, true],
    [`http://a@${strange(1000)}:1/x`, true],
    [`http://${strange(7000)}`, true],
  ] as const) {
    t.equal(isTooLong(reference), tooLong, reference.slice(0, 20))
    t.equal(parseUrl(reference, base) === undefined, tooLong, reference.slice(0, 20))
  }
  t.equal(parseUrl('http://['), undefined)
  t.end()
})

t.test('slashes at the end are left out, however many stand before it', (t) => {
  const many = '/'.repeat(3_000_000)
  t.equal(withoutSlashes(`a${many}`), 'a')
  t.equal(withoutSlashes(`${many}a`).length, many.length + 1)
  t.equal(lastSegment(`http://a.test/b${many}c/?d`), 'c')
  t.end()
})
