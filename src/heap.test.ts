import { getHeapStatistics } from 'node:v8'
import t from 'tap'
import { lastingHeap } from './heap.js'

const MB = 1024 * 1024

t.test('the part of the heap in which objects stay', (t) => {
  const limit = getHeapStatistics().heap_size_limit
  t.strictSame(
    {
      untold: lastingHeap([''], undefined),
      told: lastingHeap(['', '--max-old-space-size=64'], undefined),
      'with other signs': lastingHeap(['--max_old_space_size=65 --no-warnings'], undefined),
      'the last one counts': lastingHeap(['--max-old-space-size=64', '--max-old-space-size=66'], undefined),
      'nothing is no limit': lastingHeap(['--max-old-space-size=0'], undefined),
      'more than V8 has': lastingHeap(['--max-old-space-size=99999999'], undefined),
      "a worker's own": lastingHeap(['--max-old-space-size=64'], 32),
    },
    {
      untold: limit,
      told: 64 * MB,
      'with other signs': 65 * MB,
      'the last one counts': 66 * MB,
      'nothing is no limit': limit,
      'more than V8 has': limit,
      "a worker's own": 32 * MB,
    },
  )
  t.end()
})
