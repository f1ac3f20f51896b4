import t from 'tap'
import { Refusal } from './refusals.js'

t.test('a refusal says what it is, and what its row of the table says unless it is told more', (t) => {
  t.equal(String(new Refusal('unknown-queue')), 'Refusal: There is no such queue.')
  t.equal(String(new Refusal('unknown-queue', 'There is no queue "q".')), 'Refusal: There is no queue "q".')
  t.end()
})
