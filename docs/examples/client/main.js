// Run with: node docs/examples/client/main.js http://127.0.0.1:8080
// Sends three orders to a queue and handles what is in it, until Ctrl-C; with a number, until so many are handled.
import { consume } from './consume.js'
import { created, persist } from './persist.js'
import { send } from './send.js'

const [base, count = Number.POSITIVE_INFINITY] = process.argv.slice(2)
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())

// Creating a queue that is there changes nothing.
const queues = `${base}/queues`
const definition = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'orders/new' }
created(queues, await persist(queues, definition))
for (const order of ['two teapots', 'a kettle', 'six cups']) await send(base, 'orders/new', order)

let handled = 0
const handle = ({ id, body }) => {
  console.log(`${id} ${body}`)
  handled += 1
  if (handled >= Number(count)) stopping.abort()
}
await consume(base, 'orders/new', handle, { signal: stopping.signal, prefetch: 2 })
