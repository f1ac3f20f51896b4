import t from 'tap'
import { byBodies, isNowhere } from './by-bodies.js'

t.test(
  'messages without addresses of their own are told apart by what they are, each time alike',
  async (t) => {
    const known = (...entries: [body: string, uri: string][]) =>
      byBodies(
        entries.map(([body, uri]) => ({ body, uri })),
        '/f',
      )
    t.strictSame(
      known(['m1', '/1'], ['m2', '/2'], ['m1', '/1']).map(({ uri }) => uri),
      ['/1', '/2', '/1'],
    )
    const lacking = known(['m1', ''], ['m2', '/2'], ['m1', ''])
    t.strictSame(
      lacking.map(({ uri }) => isNowhere(uri)),
      [true, false, true],
    )
    t.equal(new Set(lacking.map(({ uri }) => uri)).size, 3)
    t.strictSame(known(['m1', ''])[0], lacking[0], 'whatever else is there')
    const shared = known(['m1', '/1'], ['m2', '/1'], ['m3', '/3'])
    t.strictSame(
      shared.map(({ uri }) => isNowhere(uri)),
      [true, true, false],
      'whose it is nobody knows',
    )
  },
)
