// Run with: npx tap docs/examples/conformance/tap.test.js
// TARGET is the base URL of the server to check; without one this is the reference, started for the purpose.
// PROFILE is a file that says what the server claims and how it differs; without one it is asked for the primary mapping.
import { readFileSync } from 'node:fs'
import { startServer } from 'atom-mq'
import { conformanceTests, DEFAULT_PROFILE, parseProfile } from 'atom-mq-conformance'
import t from 'tap'

const { TARGET, PROFILE } = process.env
const profile = PROFILE ? parseProfile(JSON.parse(readFileSync(PROFILE, 'utf8'))) : DEFAULT_PROFILE

t.setTimeout(600_000)
t.test('conformance', async (t) => {
  const reference = TARGET ? undefined : await startServer()
  t.teardown(() => reference?.stop())
  for await (const { name, skip, run } of conformanceTests(TARGET ?? reference.url, { profile })) {
    await t.test(name, { skip }, run)
  }
})
