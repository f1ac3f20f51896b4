import t from 'tap'
import { fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { outcomeAt } from '../alternatives.test.helper.js'
import { SEND_ROWS } from './rows.js'

t.test('properties that an entry does not show, or shows otherwise, are told', async (t) => {
  const shown = async (properties: readonly string[]) => {
    await using broker = await fakeBroker()
    broker.intercept = (got) => {
      const reply = broker.answer(got)
      if (got.method !== 'GET' || !got.path.startsWith('/mq/queues/')) return reply
      return { ...reply, body: String(reply.body).replace('</entry>', `${properties.join('')}</entry>`) }
    }
    return await outcomeAt(broker, SEND_ROWS, 'send.properties')
  }
  const colour = '<property name="colour">red</property>'
  const price = (name: string) => `<property name="${name}">12.5</property>`
  t.match(await shown([]), { seen: '200 holding no property' })
  t.match(await shown([colour, price('unit-price')]), {
    seen: '200 holding property colour=red and property unit-price=12.5',
  })
  t.equal(await shown([price('UNIT_PRICE'), colour]), undefined)
})
