import t from 'tap'
import { fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { outcomeAt } from '../alternatives.test.helper.js'
import { SINGLE_PATH_CHOICES } from './choices.js'

t.test('a message that comes with another type, or not as it was sent, is told', async (t) => {
  const outcome = async (type: string, wrapped = false) => {
    await using broker = await fakeBroker()
    const queue: Buffer[] = []
    broker.intercept = ({ method, path, body }) => {
      if (!path.startsWith('/mq/queue/')) return undefined
      if (method === 'POST') {
        queue.push(body)
        return {}
      }
      const message = queue.shift()
      if (message === undefined) return { status: 204 }
      return { headers: { 'Content-Type': type }, body: wrapped ? `"${message}"` : message }
    }
    const features = { 'single-path': true }
    return await outcomeAt(broker, SINGLE_PATH_CHOICES, 'single-path.raw', { features })
  }
  t.equal(await outcome('application/x-kit'), undefined)
  t.match(await outcome('text/plain'), { expected: 'the Content-Type of the message', seen: 'text/plain' })
  t.match(await outcome('application/x-kit', true), { expected: '200 with the body as it was sent' })
})
