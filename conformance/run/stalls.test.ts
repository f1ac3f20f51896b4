import t from 'tap'
import type { Exchange } from '../client/exchange.js'
import { Stalls } from './stalls.js'

const late = (sentAt: number, timeout = 5000): Exchange => ({
  ...{ method: 'GET', url: 'http://127.0.0.1/queues', requestHeaders: {}, requestBody: Buffer.alloc(0) },
  ...{ status: 0, headers: {}, body: Buffer.alloc(0), error: `no answer within ${timeout} ms` },
  ...{ sentAt, receivedAt: sentAt + timeout },
})

t.test('what was asked while another request waited counts together with it', (t) => {
  const stalls = new Stalls()
  t.equal(stalls.note([late(10), late(0), late(4000)], 5000)?.sentAt, 0, 'the first is told')
  t.ok(stalls.note([late(4500)], 5000))
  for (const sentAt of [20_000, 30_000])
    t.ok(stalls.note([late(sentAt)], 5000), 'the second time and the third')
  t.equal(stalls.note([late(40_000)], 5000), undefined, 'then the target does not answer')
  t.notOk(stalls.areFew)
  t.end()
})

t.test('an answer that a check itself has given less time is not late', (t) => {
  t.equal(new Stalls().note([late(0, 500)], 5000), undefined)
  t.end()
})

t.test('where an answer took most of its time, others may take all of it', (t) => {
  const stalls = new Stalls()
  const answered = (took: number, requestHeaders = {}) => ({
    ...late(0),
    ...{ status: 200, error: undefined, requestHeaders, receivedAt: took },
  })
  stalls.noteAnswers([answered(2000), late(0), answered(4900, { Prefer: 'wait=4' })])
  for (const sentAt of [0, 10_000, 20_000, 30_000]) stalls.note([late(sentAt)], 5000)
  t.equal(stalls.note([late(40_000)], 5000), undefined, 'what is asked to wait may')
  stalls.noteAnswers([answered(2600)])
  t.ok(stalls.note([late(50_000)], 5000))
  t.end()
})
