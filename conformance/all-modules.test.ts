import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

// Programs do their work, and end the process, when they are loaded; and a browser's program needs a browser.
const PROGRAMS = new Set(['cli/main.js', 'report/html/browser/report.js'])

const here = import.meta.dirname
const modules = readdirSync(here, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.js') && !entry.name.includes('.test.'))
  .map((entry) => relative(here, join(entry.parentPath, entry.name)))
  .filter((path) => !PROGRAMS.has(path))

t.test('every module can be loaded, which starts nothing', async (t) => {
  const before = process.getActiveResourcesInfo().length
  for (const path of modules) await import(pathToFileURL(join(here, path)).href)
  t.equal(process.getActiveResourcesInfo().length, before, 'no timer, no socket')
  t.ok(modules.includes('index.js'))
})
