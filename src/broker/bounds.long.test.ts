import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Flooded } from './flood.test.helper.js'

const PROGRAM = fileURLToPath(new URL('flood.test.helper.js', import.meta.url))

/** Floods, and the refusal that ends each; undefined for one that never ends, since the oldest is forgotten. */
const EXPECTED: readonly (readonly [name: string, refusal: string | undefined])[] = [
  ['messages of one byte', undefined],
  ['bodies that are parts of bigger ones', 'out-of-memory'],
  ['properties without a value', 'out-of-memory'],
  ['properties that are parts of longer texts', 'out-of-memory'],
  ['guids that are parts of longer texts', undefined],
  ['names that are parts of longer texts', 'out-of-memory'],
  ['names of many segments', 'out-of-memory'],
  ['consumers whose ids are parts of longer texts', 'out-of-memory'],
  ['sessions whose ids are parts of longer texts', 'too-many-subscriptions'],
  ['subscriptions of long destinations', 'out-of-memory'],
  ['subscriptions with long selectors', 'out-of-memory'],
  ['subscriptions with selectors of short patterns', 'out-of-memory'],
  ['subscriptions with selectors of long sums', 'out-of-memory'],
  ['subscriptions of all queues', 'too-many-bindings'],
  ['queues below wildcards', 'too-many-bindings'],
  ['new-message addresses', undefined],
  ['new-message addresses of queues that are deleted', undefined],
  ['new-message addresses that are parts of longer texts', undefined],
  ['subscriptions that end', undefined],
  ['deliveries that are settled', undefined],
]

t.test('at a small heap no flood ends the broker: it refuses, serves on, and gives back', (t) => {
  for (const [name, refusal] of EXPECTED) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--max-old-space-size=40', '--max-semi-space-size=4', PROGRAM, name],
      { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
    )
    if (status !== 0) {
      t.fail(`${name}: ended with ${status}: ${stderr.slice(-500)}`)
      continue
    }
    const flooded = JSON.parse(stdout) as Flooded
    t.same([flooded.refusal, flooded.left, flooded.violations], [refusal, 0, []], name)
  }
  t.end()
})
