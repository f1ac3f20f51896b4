import { execFileSync } from 'node:child_process'
import t from 'tap'
import { scenarioCommand } from './report-context.js'

t.test('the command that carries out a scenario again hands it over as it is', async (t) => {
  const report = {
    kit: { name: 'kit', version: '1', document: '' },
    target: { url: 'http://a', name: '' },
    probed: true,
  } as const
  for (const scenario of ['create a; read A', String.raw`send m1 to a body "it's 100%s\n\\\b\u0000"`, '-n']) {
    const [handOver = '', next] = scenarioCommand(report, scenario).split(' | ')
    t.equal(execFileSync('sh', ['-c', handOver], { encoding: 'utf8' }), scenario)
    t.equal(next, 'npx kit scenario http://a')
  }
})
