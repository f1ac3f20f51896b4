#!/usr/bin/env node
import { versionProblem } from './node-version.js'

// Nothing else is imported before this: an older Node could fail on it with a message that helps nobody.
const problem = versionProblem(process.versions.node)
if (problem === undefined) {
  const { toldOf } = await import('./unexpected.js')
  const { dispatch } = await import('./dispatch.js')
  process.on('uncaughtException', (error) => {
    // A run takes it as the fault of a part, and goes on.
    if (process.listenerCount('uncaughtException') > 1) return
    process.stderr.write(toldOf(error))
    process.exit(4)
  })
  // A reader that has seen enough, as `head` does, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  process.exitCode = await dispatch(process.argv.slice(2))
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 2
}
