#!/usr/bin/env node
import { checkNodeVersion } from './node-version.js'
import { run } from './run.js'

const outdated = checkNodeVersion(process.versions.node)
if (outdated !== undefined) {
  console.error(outdated)
  process.exit(2)
}

const stopSignal = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
})

// Who has read the first line may have gone: the server goes on, and there is nobody to tell.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// Not awaited: a program in one file may be a module that cannot wait at its top.
void run(process.argv.slice(2), {
  environment: process.env,
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
  stopSignal,
}).then((code) => {
  process.exitCode = code
})
