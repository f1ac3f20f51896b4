import t from 'tap'
import { makeBroker, text } from './harness.test.kit.js'

t.test('the id of a message ends with its number in twelve hexadecimal digits, and leads to it', (t) => {
  const { broker } = makeBroker()
  broker.createQueue('q')
  for (let number = 1; number <= 300; number++) {
    const message = broker.send('q', text('m'))
    const end = message.id.slice(-12)
    if (!/^[\da-f]{12}$/.test(end) || Number(`0x${end}`) !== number) t.fail(`${number}: ${message.id}`)
    if (broker.message(message.id) !== message) t.fail(`${message.id} leads elsewhere`)
  }
  t.equal(broker.queue('q').pending, 300)
  t.end()
})
