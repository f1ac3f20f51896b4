import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const KIT = fileURLToPath(new URL('../../', import.meta.url))

const ROOT = join(KIT, '..')

/** Sources where they are there, as in a checkout; else what was made of them. */
const CHECKS = [join(KIT, 'checks'), join(KIT, 'dist', 'checks')]
const WRONG_SERVERS = [join(ROOT, 'fixtures', 'wrong-servers')]
const SERVER = [join(ROOT, 'src')]
const DOCUMENT = [join(ROOT, 'docs', 'interface'), join(ROOT, 'docs')]
const PAGE = join(ROOT, 'docs', 'site', 'index.html')

/** Where something about a clause is: files and lines, of which a checkout alone has most. */
interface ClausePlaces {
  /** The page that `npm run docs` makes. */
  readonly page: string | undefined
  /** The sentence in the documentation. */
  readonly document: string | undefined
  readonly code: readonly string[]
  readonly wrongServers: readonly string[]
}

/** The file and line of a check: its record, or its row where one function makes many; undefined where there is none. */
export function placeOfCheck(id: string): string | undefined {
  const [, topic = '', row = ''] = /^([^.]+)\.(.+)$/.exec(id) ?? []
  const record = placesOf(CHECKS, (line) => line.includes(`id: '${id}'`) || line.startsWith(`${id}: `))[0]
  const folders = CHECKS.map((folder) => join(folder, topic))
  return (
    record ??
    placesOf(folders, (line) => line.includes(`'${row}'`) || makes(line, id))[0] ??
    placesOf(CHECKS, (line) => line.includes(`name: '${row}'`))[0]
  )
}

/** Whether a line gives ids that begin so to all that its function makes. */
function makes(line: string, id: string): boolean {
  const [, prefix] = /id: `([^`$]+)\$\{/.exec(line) ?? []
  return prefix !== undefined && id.startsWith(prefix)
}

/** The file and line of the wrong server that does this; undefined where there is no checkout. */
export function placeOfDefect(defect: string): string | undefined {
  return placesOf(WRONG_SERVERS, (line) => line.includes(defect))[0]
}

/** Where a clause is said, done and broken. */
export function placesOfClause(id: string): ClausePlaces {
  return {
    page: existsSync(PAGE) ? `${relative(process.cwd(), PAGE)}#${id}` : undefined,
    // Beside the sentences, docs/ has the table of all clauses, whose rows begin with an anchor.
    document: placesOf(
      DOCUMENT,
      (line) => line.includes(`<a id="${id}"></a>`) && !line.startsWith('| <a'),
    )[0],
    code: placesOf(
      SERVER,
      (line) => /^\s*\/\/ clause: (.*)$/.exec(line)?.[1]?.split(' ').includes(id) ?? false,
    ),
    wrongServers: placesOf(WRONG_SERVERS, (line) => line.includes(`'${id}'`), true),
  }
}

/** The files of a folder, each read once: whoever asks for one place often asks for many. */
const files = new Map<string, readonly { readonly path: string; readonly lines: readonly string[] }[]>()

function filesIn(folder: string) {
  const known = files.get(folder)
  if (known !== undefined) return known
  const read = !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.d|\.test)\.(?:[jt]s|md)$/.test(file))
        .sort()
        .map((file) => join(folder, file))
        .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n') }))
  files.set(folder, read)
  return read
}

/** At most one place of each file, or every one, in the first folder that has any. */
function placesOf(folders: readonly string[], isMeant: (line: string) => boolean, all = false): string[] {
  for (const folder of folders) {
    const places = filesIn(folder).flatMap(({ path, lines }) => {
      const found = lines.flatMap((line, at) => (isMeant(line) ? [at + 1] : []))
      return found.slice(0, all ? undefined : 1).map((line) => `${relative(process.cwd(), path)}:${line}`)
    })
    if (places.length > 0) return places
  }
  return []
}
