import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const KIT = fileURLToPath(new URL('../../', import.meta.url))

/** Sources where they are there, as in a checkout; else what was made of them. */
const CHECKS = [join(KIT, 'checks'), join(KIT, 'dist', 'checks')]
const WRONG_SERVERS = [join(KIT, '..', 'fixtures', 'wrong-servers')]

/** The file and line that a check stands at; undefined where it cannot be found. */
export function placeOfCheck(id: string): string | undefined {
  return placeOf(CHECKS, `id: '${id}'`)
}

/** The file and line of the wrong server that does this; undefined where there is no checkout. */
export function placeOfDefect(defect: string): string | undefined {
  return placeOf(WRONG_SERVERS, defect)
}

function placeOf(folders: readonly string[], words: string): string | undefined {
  for (const folder of folders.filter((each) => existsSync(each))) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/(?<!\.d|\.test)\.[jt]s$/.test(file)) continue
      const path = join(folder, file)
      const lines = readFileSync(path, 'utf8').split('\n')
      const at = lines.findIndex((line) => line.includes(words))
      if (at >= 0) return `${relative(process.cwd(), path)}:${at + 1}`
    }
  }
  return undefined
}
