import t from 'tap'
import { Buffer } from '../bytes.js'
import type { Exchange } from '../exchange.js'
import type { RequestOptions } from '../target.js'
import { subscribeAsJson } from './as-json.js'

t.test('the pairs of a form are members, and those of one name a list', async (t) => {
  const asked: unknown[] = []
  const target = {
    request: async (method: string, url: string, options: RequestOptions = {}) => {
      asked.push([method, url, options.headers, JSON.parse(String(options.body))])
      return {} as Exchange
    },
  }
  await subscribeAsJson(target, {
    url: 'http://a.test/subscriptions',
    requestBody: Buffer.from('destination=a&destination=b%2Fc&prefetch=2'),
    requestHeaders: { 'Content-Type': 'application/x-www-form-urlencoded', Other: 'x' },
  } as unknown as Exchange)
  t.strictSame(asked, [
    [
      'POST',
      'http://a.test/subscriptions',
      { 'Content-Type': 'application/json', Other: 'x' },
      { destination: ['a', 'b/c'], prefetch: '2' },
    ],
  ])
})
