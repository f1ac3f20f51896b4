import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseProfile } from '../client/parse-profile.js'
import { printableJson, printableLine } from '../client/printable.js'
import { profileJson } from '../client/profile.js'
import { probeTarget } from '../probe/probe.js'
import type { Note } from '../probe/prober.js'
import { withHeaders } from './header-option.js'
import { originsOf } from './origin-option.js'
import { progressOnStderr } from './progress-line.js'
import { readProfile } from './run-options.js'
import { UsageError } from './usage-error.js'

/** `probe`: finds out what a target offers. A draft of its profile goes to stdout, notes to stderr. @returns the exit code */
export async function probe(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      profile: { type: 'string' },
      header: { type: 'string', multiple: true, default: [] },
      origin: { type: 'string', multiple: true, default: [] },
      notes: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  })
  const [url, ...more] = positionals
  if (url === undefined)
    throw new UsageError('give probe the base URL of a target, as in http://127.0.0.1:8080.')
  if (more.length > 0) throw new UsageError(`give probe one base URL: "${more[0]}" is one too many.`)
  const known = values.profile === undefined ? parseProfile({}) : readProfile(values.profile)
  const profile = withHeaders(known, values.header)
  const origins = originsOf(values.origin)
  if (values.notes !== undefined) write(values.notes, '')
  const stopping = new AbortController()
  const progress = progressOnStderr()
  progress.probing()
  const stop = () => {
    stopping.abort()
    progress.end()
  }
  process.once('SIGINT', stop)
  try {
    const found = await probeTarget(url, { profile, quick: values.quick, origins, signal: stopping.signal })
    progress.end()
    const notes = found.notes.map(noteLine).join('')
    if (values.notes === undefined) process.stderr.write(notes)
    else write(values.notes, notes)
    process.stdout.write(`${printableJson(profileJson(found.profile), 2)}\n`)
    return found.useful ? 0 : 3
  } finally {
    progress.end()
    process.off('SIGINT', stop)
  }
}

/** A note as a line of text. */
export function noteLine({ about, text }: Note): string {
  return `${printableLine(`${about}: ${text}`)}\n`
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}.`)
  }
}
