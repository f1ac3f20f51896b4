import t from 'tap'
import { jsonReport } from './json.js'
import { EVERY_STATUS, reportOf } from './report.test.helper.js'

t.test('the report as it is', async (t) => {
  const report = reportOf(EVERY_STATUS)
  const text = jsonReport(report)
  t.strictSame(JSON.parse(text), JSON.parse(JSON.stringify(report)))
  t.ok(text.startsWith('{\n  "kit"') && text.endsWith('\n}\n'))
})
