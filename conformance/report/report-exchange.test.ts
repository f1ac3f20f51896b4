import t from 'tap'
import { Buffer } from '../client/bytes.js'
import type { Exchange } from '../client/exchange.js'
import { parseProfile } from '../client/parse-profile.js'
import { Redactor } from './redactor.js'
import { reportExchanges } from './report-exchange.js'

/** One reading after another, each of a feed. */
function readings(bodies: readonly string[]): Exchange[] {
  return bodies.map(
    (body, at) =>
      ({
        ...{ method: 'GET', url: 'http://mq.test/subscriptions/1', requestHeaders: {} },
        ...{ requestBody: Buffer.alloc(0), status: 200, headers: { date: `${at}` }, body: Buffer.from(body) },
        ...{ sentAt: 10 * at, receivedAt: 10 * at + 5 },
      }) as unknown as Exchange,
  )
}

const timesOf = (bodies: readonly string[]) =>
  reportExchanges(readings(bodies), 0, new Redactor(parseProfile({}))).map(({ times }) => times)

t.test('readings that differ by the moment alone are told once', async (t) => {
  const feed = (seconds: string, entry = '') =>
    `<feed><updated>2026-01-01T00:00:${seconds}Z</updated>${entry}</feed>`
  t.strictSame(timesOf([feed('01.5'), feed('02.5'), feed('03.5'), feed('03.5', '<entry/>')]), [3, 1])
  t.strictSame(timesOf([feed('01'), feed('01', '<a/>'), feed('01', '<b/>')]), [1, 1, 1], 'and no others')
  const long = 'x'.repeat(9000)
  t.strictSame(timesOf([feed('01', long), feed('02', long)]), [1, 1], 'what is long is not looked through')
})
