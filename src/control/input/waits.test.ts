import t from 'tap'
import { Problem } from '../../http/problems.js'
import { Waits } from './waits.js'

const REFUSAL = new Problem('malformed-request', 'It takes too long.')
const refuse = () => {
  throw REFUSAL
}

t.test(
  'what is refused while a wait looks fails that wait, when something comes and when its time is up',
  async (t) => {
    const waits = new Waits<string>()
    const never = () => {}
    await t.rejects(waits.begin(1, [], never, refuse).found, REFUSAL)
    await t.rejects(waits.begin(0, [], never, refuse).found, REFUSAL)
    await t.rejects(waits.begin(1, ['a'], refuse, never).found, REFUSAL)
    const { found } = waits.begin(10_000, [], refuse, never)
    const other = waits.begin<string>(10_000, [], (shown, ends) => ends.found(shown), never).found
    waits.show('a')
    await t.rejects(found, REFUSAL)
    t.equal(await other, 'a', 'nobody else is refused')
    t.equal(waits.size, 0)
  },
)
