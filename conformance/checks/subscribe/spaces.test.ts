import t from 'tap'
import { runConformance } from '../../judge.js'
import { fakeBroker } from '../../trial/fake-broker.test.helper.js'
import { skipIdleTime } from '../../virtual-time.test.helper.js'
import { checks } from '../index.js'

skipIdleTime()

/** What is found of a target that takes names by `takes`, and reads the data of subscriptions after `change`. */
async function judge(takes: (name: string) => boolean, change: (data: string) => string) {
  await using broker = await fakeBroker()
  broker.intercept = (got) => {
    if (got.method !== 'POST') return undefined
    if (got.path === '/mq/queues') return takes(got.body.toString()) ? undefined : { status: 400 }
    if (got.path === '/mq/subscriptions')
      Object.assign(got, { body: Buffer.from(change(got.body.toString())) })
    return undefined
  }
  const { results } = await runConformance(broker.url, { checks, only: ['subscribe.form-spaces'] }).report
  return results.map(({ status, message }) => [status, message])
}

const keep = (data: string) => data
const takesAll = () => true

t.test('a plus sign is a space', async (t) => {
  t.strictSame(await judge(takesAll, keep), [['pass', '']])
  const [[status] = []] = await judge(takesAll, (data) => data.replaceAll('+', '%2B'))
  t.equal(status, 'fail')
})

t.test('where no name can have a space, or be found by it, nothing is said', async (t) => {
  const refused = await judge((name) => !name.includes(' '), keep)
  t.strictSame(refused, [['observed', 'The target takes no queue whose name has a space.']])
  const unfound = await judge(takesAll, (data) => data.replaceAll(/%20|\+/g, '-'))
  t.strictSame(unfound, [['observed', 'The target finds no queue by a name that has a space.']])
})
