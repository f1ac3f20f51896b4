import t from 'tap'
import type { DeliveryRecord, MessageRecord } from './message-record.js'
import { storyOf } from './story.js'

/** A message that was handed out so often, each time for a second. */
function life(times: number, delivered = times): string {
  const deliveries = Array.from({ length: times }, (_, index): DeliveryRecord => {
    const at = 1000 * index
    return {
      to: `${index}`,
      name: `C${index}`,
      at,
      endedAt: at + 500,
      how: 'lease-expired',
    } as DeliveryRecord
  })
  const record = { guid: 'one', queue: 'a', sequence: 1, sentAt: 0, deliveries, delivered, status: 'ready' }
  return storyOf(record as unknown as MessageRecord, 0)
}

t.test('of a long life its beginning and its end are told', async (t) => {
  t.equal(life(6).split(', ').length, 14, 'a shorter one is whole')
  t.match(
    life(100),
    /C3's lease ended at 3\.5 s, 188 such events more, was handed to C98 at 98 s, .* nobody took it since$/,
  )
  t.match(life(100, 200), /C99's lease ended at 99\.5 s, was handed out 100 times more, nobody/)
})
