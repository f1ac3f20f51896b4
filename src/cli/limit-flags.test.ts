import { readFileSync } from 'node:fs'
import t from 'tap'
import { PROBLEMS } from '../http/problems.js'
import { defaultOf, LIMIT_FLAGS } from './limit-flags.js'

const UNITS = { count: '', bytes: ' bytes', seconds: ' s' } as const

t.test('the table of limits is that of the server', async (t) => {
  const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8')
  const rows = [
    ...page
      .slice(page.indexOf('## Every limit'))
      .matchAll(/^\| `--([\w-]+)` \| (.*?) \| (.*?) \| (.*?) \|$/gm),
  ]
  const limits = Object.entries(LIMIT_FLAGS) as [
    keyof typeof LIMIT_FLAGS,
    (typeof LIMIT_FLAGS)[keyof typeof LIMIT_FLAGS],
  ][]
  t.strictSame(
    rows.map(([, flag, value, help]) => [flag, value, help]).sort(),
    limits.map(([limit, { flag, unit, help }]) => [flag, defaultOf(limit) + UNITS[unit], help]).sort(),
  )
  for (const [row, , , , refusal = ''] of rows) {
    const [, status, kind] = /^(\d{3}) `([\w-]+)`/.exec(refusal) ?? []
    if (kind === undefined) t.match(refusal, /^none: ./, row)
    else t.equal(PROBLEMS.get(kind as never)?.status, Number(status), row)
  }
})
