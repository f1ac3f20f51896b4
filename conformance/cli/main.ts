#!/usr/bin/env node
import { versionProblem } from './node-version.js'

// Nothing else is imported before this: an older Node could fail on it with a message that helps nobody.
const problem = versionProblem(process.versions.node)
if (problem === undefined) {
  const { dispatch } = await import('./dispatch.js')
  // A reader that has seen enough, as `head` does, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  process.exitCode = await dispatch(process.argv.slice(2))
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 2
}
