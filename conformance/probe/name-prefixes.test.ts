import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import { toldPrefixes } from './name-prefixes.js'

const told = (text: string) => toldPrefixes([{ body: Buffer.from(text) } as Exchange])

t.test('a prefix that a refusal tells, with a slash or a dot', async (t) => {
  t.strictSame(told('queues below team/kit only'), ['team/kit/', 'team/kit.'])
  t.strictSame(told('names begin with "team."'), ['team/', 'team.'])
})

t.test('of a refusal of any length only the beginning is looked through', async (t) => {
  const started = performance.now()
  t.strictSame(told(`${' '.repeat(400_000)}below team`), [])
  t.ok(told(`below a${'.'.repeat(400_000)}b`).length > 0)
  t.ok(performance.now() - started < 3000)
})
