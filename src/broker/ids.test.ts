import t from 'tap'
import { seeded } from './harness.test.kit.js'
import { Ids } from './ids.js'

t.test('a key is 128 bits in hexadecimal, just as the source gave them', (t) => {
  let next = 0
  const ids = new Ids((bytes) => {
    for (let index = 0; index < bytes.length; index++) bytes[index] = next++ % 256
  })
  t.equal(ids.key(), '000102030405060708090a0b0c0d0e0f')
  t.equal(ids.key(), '101112131415161718191a1b1c1d1e1f', 'no byte is used twice')
  t.end()
})

t.test('a uuid has its version and its variant, and keeps every other bit', (t) => {
  for (const [byte, expected] of [
    [0x00, '00000000-0000-4000-8000-000000000000'],
    [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
    [0x6a, '6a6a6a6a-6a6a-4a6a-aa6a-6a6a6a6a6a6a'],
  ] as const) {
    t.equal(new Ids((bytes) => void bytes.fill(byte)).uuid(), expected)
  }
  t.end()
})

t.test('randomness is taken in bulk, and all of it is used before more is taken', (t) => {
  let calls = 0
  const ids = new Ids((bytes) => {
    calls++
    bytes.fill(calls)
  })
  const drawn = Array.from({ length: 256 }, () => ids.key())
  t.equal(calls, 1)
  t.ok(drawn.every((key) => key === '01'.repeat(16)))
  t.equal(ids.key(), '02'.repeat(16))
  t.equal(calls, 2)
  t.end()
})

t.test('the same source gives the same ids; the platform gives ever new ones', (t) => {
  const one = new Ids(seeded(7))
  const other = new Ids(seeded(7))
  t.same([one.key(), one.uuid()], [other.key(), other.uuid()])
  const ids = new Ids()
  t.equal(new Set(Array.from({ length: 1000 }, () => ids.key())).size, 1000)
  t.match(ids.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.end()
})

t.test('a uuid has each of its digits from the source just once', (t) => {
  const bytes = [
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x1e, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
  ]
  t.equal(new Ids((pool) => pool.set(bytes)).uuid(), '01234567-89ab-4def-9edc-ba9876543210')
  t.end()
})
