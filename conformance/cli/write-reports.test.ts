import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parseXml } from '../client/xml.js'
import { descriptions, exchange, reportOf, result } from '../report/report.test.helper.js'
import type { Report } from '../report/result.js'
import { exitCodeOf } from '../report/verdicts.js'
import { FILE_FORMATS } from './target-options.js'
import { toFile, toStdout, writeReports } from './write-reports.js'

/** A report of a failure, one of whose requests has no address. */
const nowhere = exchange({ method: 'POST', url: undefined as unknown as string })
const failing = (more: Partial<ReturnType<typeof result>> = {}) =>
  reportOf([
    result('send.post', { status: 'fail', expected: 'this', seen: 'that', exchanges: [nowhere], ...more }),
  ])

/** All forms of a report, and what is printed. */
function written(t: Test, report: Report, unwritable = '') {
  const dir = t.testdir({})
  const files = FILE_FORMATS.map((format) => ({ format, file: join(dir, format) }))
  if (unwritable !== '') mkdirSync(join(dir, unwritable))
  let printed = ''
  const write = (text: string) => {
    printed += text
  }
  const told = writeReports(
    report,
    files.map((each) => toFile(each, descriptions)),
    { ...toStdout('pretty', descriptions, { color: false }), write },
  )
  const texts = Object.fromEntries(
    files
      .filter(({ format }) => format !== unwritable)
      .map(({ format, file }) => [format, readFileSync(file, 'utf8')]),
  )
  return { told, texts: { ...texts, pretty: printed } as Record<string, string> }
}

/** Whether each is whole in its own form, says the verdict, and names the part that failed. */
function areWhole(t: Test, texts: Record<string, string>, part: RegExp): void {
  for (const [format, text] of Object.entries(texts)) t.match(text, part, `${format} names the part`)
  const { json, junit, html, tap } = texts
  if (json !== undefined) t.match(JSON.parse(json), { verdict: 'non-conformant' })
  t.ok(parseXml(Buffer.from(junit!), 'application/xml').documentElement)
  t.match(html, /<h1>[\s\S]*non-conformant|Non-conformant[\s\S]*<\/html>/)
  t.match(tap, /^TAP version 14\n1\.\.\d/)
}

t.test('curl commands that cannot be made cost the commands', async (t) => {
  const { told, texts } = written(t, failing())
  areWhole(t, texts, /the curl commands of send\.post/)
  t.match(texts.html, /There are no curl commands, by a fault of the kit/)
  t.match(JSON.parse(texts.json!).results[0], { seen: 'that', exchanges: [{ request: { method: 'POST' } }] })
  t.equal(exitCodeOf(told), 1, 'the target broke a clause all the same')
  t.equal(exitCodeOf({ ...told, verdict: 'conformant' }), 4)
})

t.test('a writer that fails writes without what was exchanged, or the verdict alone', async (t) => {
  const body = undefined as never
  const { texts } = written(t, failing({ exchanges: [exchange({ body })] }))
  areWhole(t, texts, /the HTML report/)
  t.match(texts.html, /Seen<\/dt> <dd>that/, 'with what was seen')
  t.notMatch(texts.html, /<h5>Request/)
  const bad = written(t, failing({ seconds: undefined as unknown as number }))
  areWhole(t, bad.texts, /the JUnit XML report/)
  t.match(bad.told.faults, [{ part: 'the JUnit XML report' }, { part: 'the HTML report' }])
})

t.test('a file that cannot be written costs that file', async (t) => {
  const { told, texts } = written(t, failing({ exchanges: [] }), 'json')
  areWhole(t, texts, /the writing of .*json/)
  t.match(told.faults, [{ part: /json$/, why: /^Error: EISDIR/ }])
})

t.test('where nothing fails nothing is told', async (t) => {
  const { told, texts } = written(t, reportOf([result('send.post')]))
  t.notOk('faults' in told)
  t.equal(exitCodeOf(told), 0)
  for (const text of Object.values(texts)) t.notMatch(text, /kit failed|failed within/)
})
