import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

const bundle = join(import.meta.dirname, '../bundle')

/** Tells a program the files that it loads as modules, on standard error. */
const LOADER = `
import { writeSync } from 'node:fs'
export async function load(url, context, next) {
  if (url.startsWith('file:') && !url.includes('node_modules')) writeSync(2, 'loaded ' + url + '\\n')
  return next(url, context)
}`
const REGISTER = `
import { register } from 'node:module'
register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(LOADER))})`

function loadedBy(script: string): string[] {
  const hook = `data:text/javascript,${encodeURIComponent(REGISTER)}`
  const args = ['--import', hook, '--input-type=module', '--eval', script]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return [...stderr.matchAll(/^loaded (.*)$/gm)].map(([, url]) => url as string)
}

t.test('the package and the program are one file each, and load no other', async (t) => {
  const url = (name: string) => pathToFileURL(join(bundle, name)).href
  const serve = `import { startServer } from ${JSON.stringify(url('index.js'))}
    const server = await startServer({ queues: ['q'] })
    if ((await fetch(server.url + '/queues/q')).status !== 200) throw new Error('It does not serve.')
    await server.stop()`
  t.same(loadedBy(serve), [url('index.js')])
  const help = `process.argv = ['node', 'main.js', '--help']; await import(${JSON.stringify(url('main.js'))})`
  t.same(loadedBy(help), [url('main.js')])
})

t.test('they offer what the modules do', async (t) => {
  const common = createRequire(import.meta.url)
  const cjs = join(bundle, '../cjs')
  const names = Object.keys(await import('../index.js')).sort()
  for (const bundled of [
    await import(pathToFileURL(join(bundle, 'index.js')).href),
    common(join(cjs, 'index.js')),
  ]) {
    t.same(Object.keys(bundled).sort(), names)
    const mock = await bundled.startServer({ control: true, queues: ['q'] })
    t.teardown(() => mock.stop())
    for (const path of ['/queues/q', '/_control/state', '/_control/', '/_control/page/main.js']) {
      t.equal((await fetch(mock.url + path)).status, 200, path)
    }
  }
  t.same(Object.keys(common(join(cjs, 'handler.js'))), ['createHandler'])
})
