import { spawnSync } from 'node:child_process'
import t from 'tap'

t.setTimeout(120_000)

const FILL = `
  import { startServer } from '#src/index.js'
  const server = await startServer({ queues: ['q'] })
  const { maxMemory } = server.broker.limits
  const content = { body: new Uint8Array(256), properties: new Map() }
  let said
  for (let sent = 0; sent < 1e6 && said === undefined; sent++) {
    try { server.broker.send('q', content) } catch (error) { said = error.kind }
  }
  await server.stop()
  console.log(JSON.stringify({ maxMemory, said }))
`

t.test('what a server keeps unless it is told fits the heap that it has', (t) => {
  const options = ['--max-old-space-size=64', '--input-type=module', '--eval', FILL]
  const { status, stdout, stderr } = spawnSync(process.execPath, options, {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  t.equal(status, 0, stderr.slice(-500))
  const { maxMemory, said } = JSON.parse(stdout) as { maxMemory: number; said: string }
  t.equal(said, 'out-of-memory')
  t.ok(maxMemory < 64 * 1024 * 1024 && maxMemory > 10 * 1024 * 1024, `${maxMemory}`)
  t.end()
})
