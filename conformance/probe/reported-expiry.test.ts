import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import { reportedExpiry } from './reported-expiry.js'

const NOW = Date.parse('2030-01-01T00:00:00Z')

function answer(body: string, headers: Record<string, string> = {}): Exchange {
  return { body: Buffer.from(body), headers } as Exchange
}

t.test('the latest date that is still to come', async (t) => {
  const cases: [answers: Exchange[], seconds: number | undefined][] = [
    [[], undefined],
    [[answer('no date')], undefined],
    [[answer('<updated>2029-12-31T23:59:59Z</updated>')], undefined],
    [[answer('<a>2030-01-01T00:00:05.5Z</a><b>2030-01-01T00:00:07Z</b>')], 7],
    [[answer('', { expires: 'Tue, 01 Jan 2030 00:01:00 GMT' })], 60],
    [[answer('', { expires: '0' })], undefined],
    // By a clock that goes five seconds before ours.
    [
      [answer('<updated>2030-01-01T00:00:05.9Z</updated>', { date: 'Tue, 01 Jan 2030 00:00:05 GMT' })],
      undefined,
    ],
    [[answer('<end>2030-01-01T00:01:05Z</end>', { date: 'Tue, 01 Jan 2030 00:00:05 GMT' })], 65],
    [[answer('2030-01-01T01:00:30+01:00'), answer('')], 30],
  ]
  for (const [answers, seconds] of cases) {
    t.equal(reportedExpiry(answers, NOW), seconds === undefined ? undefined : NOW + seconds * 1000)
  }
})
