import { writeFileSync } from 'node:fs'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import { printableJson, printableLine } from '../client/printable.js'
import { profileJson } from '../client/profile.js'
import { probeTarget } from '../probe/probe.js'
import { leadTo, stoppable } from './at-target.js'
import { readProfile } from './input.js'
import { originsOf, readArgs, TARGET_OPTIONS, tryToWrite, urlOf, withHeaders } from './target-options.js'

/** `probe`: finds out what a target offers. A draft of its profile goes to stdout, notes to stderr. @returns the exit code */
export async function probe(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    ...TARGET_OPTIONS,
    notes: { type: 'string' },
    quick: { type: 'boolean', default: false },
  })
  const url = urlOf(positionals, 'probe')
  const { quick, notes: file } = values
  const known = values.profile === undefined ? DEFAULT_PROFILE : readProfile(values.profile)
  const profile = withHeaders(known, values.header)
  const origins = originsOf(values.origin)
  if (file !== undefined) tryToWrite(file)
  return stoppable(async (signal, progress) => {
    progress.probing()
    const base = await leadTo(url, profile, signal, progress)
    const found = await probeTarget(base, { profile, quick, origins, signal })
    progress.end()
    const notes = found.notes.map(({ about, text }) => `${printableLine(`${about}: ${text}`)}\n`).join('')
    if (file === undefined) process.stderr.write(notes)
    else writeFileSync(file, notes)
    process.stdout.write(`${printableJson(profileJson(found.profile), 2)}\n`)
    return found.useful ? 0 : 3
  })
}
