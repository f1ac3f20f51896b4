import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

/** The repository: this file runs from `dist/`. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')

/**
 * What the files of each folder of `src/` may import: folders beside it, one file of such a folder, `node:`
 * modules, or `node:*` for any of them. Its own files it always may. The arrows: `cli → control, mappings → html, http, atom, auth → broker → selector,
 * clock`. A folder that is not in the table is not in the house.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  selector: [],
  broker: ['selector', 'clock'],
  // `http/` alone knows `node:http`. What stands beside it may know it, and it knows of them just who is asking.
  http: ['auth/principal.js', 'broker', 'selector', 'clock', 'node:*', 'node:http', 'node:net'],
  atom: ['http', 'broker', 'selector', 'clock', 'node:*'],
  html: ['atom', 'http', 'broker', 'selector', 'clock'],
  auth: ['http', 'broker', 'selector', 'clock', 'node:*'],
  mappings: ['http', 'html', 'atom', 'auth', 'broker', 'selector', 'clock', 'node:*'],
  control: ['mappings', 'http', 'html', 'atom', 'auth', 'broker', 'selector', 'clock', 'node:*'],
  cli: ['.', 'control', 'mappings', 'http', 'html', 'atom', 'auth', 'broker', 'selector', 'clock', 'node:*'],
  // The public door and what it opens, in `src/` itself.
  '.': ['control', 'mappings', 'http', 'html', 'atom', 'auth', 'broker', 'selector', 'clock', 'node:*'],
}

/** Modules that `node:*` does not mean: they speak HTTP, and only `http/` does. */
const GUARDED = ['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls']

/** Globals of Node that a part without `node:` modules must not reach for either. */
const NODE_GLOBALS = /(?<![.#\w])(?:process|Buffer|require|setImmediate)[.(]/

interface Import {
  readonly file: string
  readonly from: string
}

/** The files of a folder, all the way down, that are part of the product: tests and what helps them are not. */
function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.includes('.test.'))
    .filter((name) => !/(?:^|\/)(?:dist|node_modules)\//.test(name))
    .map((name) => join(folder, name))
    .sort()
}

/** Whatever a file imports: statically, only types, dynamically, or passed on. */
function importsOf(file: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, file), 'utf8'), true, true)
  return importedFiles.map(({ fileName }) => ({ file, from: fileName }))
}

/** The folder of `src/` that a path lies in; `.` for `src/` itself. */
function folderOf(path: string): string {
  const [folder, ...rest] = relative('src', path).split('/')
  return rest.length === 0 ? '.' : (folder as string)
}

/** What is wrong with an import of the server, as a sentence; undefined when nothing is. */
function complaint({ file, from }: Import): string | undefined {
  const folder = folderOf(file)
  const allowed = MAY_IMPORT[folder]
  if (allowed === undefined) return `${file}: the folder ${folder} has no place among the arrows`
  if (from.startsWith('.')) {
    if (!from.endsWith('.js')) return `${file}: ${from} does not end in .js`
    const target = join(dirname(file), from)
    if (relative('src', target).startsWith('..')) return `${file}: ${from} is outside of src/`
    const to = folderOf(target)
    if (to === folder || allowed.includes(to) || allowed.includes(relative('src', target))) return undefined
    return `${file}: ${folder} must not import ${to}`
  }
  if (!from.startsWith('node:')) return `${file}: imports the package ${from}, and the server has none`
  if (allowed.includes(from)) return undefined
  return allowed.includes('node:*') && !GUARDED.includes(from)
    ? undefined
    : `${file}: ${folder} must not import ${from}`
}

t.test('every import of the server goes along the arrows', (t) => {
  const files = sources('src')
  t.ok(files.length > 50, 'the files are found')
  t.same(files.flatMap(importsOf).map(complaint).filter(Boolean), [])
  t.end()
})

t.test('every folder of the server has its place among the arrows', (t) => {
  t.same(
    sources('src')
      .map(folderOf)
      .filter((folder) => !(folder in MAY_IMPORT)),
    [],
  )
  t.end()
})

t.test('what knows no module of Node knows no global of it either', (t) => {
  for (const file of ['broker', 'selector', 'clock'].flatMap((folder) => sources(`src/${folder}`))) {
    const code = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    t.notMatch(code, NODE_GLOBALS, file)
  }
  t.end()
})

t.test('no file imports itself by way of others', (t) => {
  const edges = new Map<string, string[]>()
  for (const file of sources('src')) {
    const code = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest)
    const targets = code.statements
      .filter((statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
      // Types are gone when the program runs, and may well go round.
      .filter((statement) => !isTypeOnly(statement))
      .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral | undefined)?.text)
      .filter((from) => from?.startsWith('.'))
    edges.set(
      file,
      targets.map((from) => join(dirname(file), from as string).replace(/\.js$/, '.ts')),
    )
  }
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) t.fail([...path.slice(path.indexOf(file)), file].join(' → '))
    else if (!done.has(file)) for (const next of edges.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of edges.keys()) visit(file, [])
  t.ok(done.size > 50)
  t.end()
})

/** Whether an import or a passing on leaves nothing behind in the program. */
function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly
  const clause = statement.importClause
  if (clause === undefined) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const named = clause.namedBindings
  return (
    clause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every(({ isTypeOnly }) => isTypeOnly)
  )
}

t.test('the kit knows the server only as a URL', (t) => {
  const files = sources('conformance')
  t.ok(files.length > 10, 'the files are found')
  const foreign = files
    .flatMap(importsOf)
    .filter(({ file, from }) =>
      from.startsWith('.')
        ? relative('conformance', join(dirname(file), from)).startsWith('..')
        : !/^(?:node:.+|@xmldom\/xmldom)$/.test(from),
    )
  t.strictSame(foreign, [], 'nothing but Node, and the one dependency')
  t.end()
})

t.test('the rules can be broken', (t) => {
  for (const [file, from] of [
    ['src/broker/x.ts', '../http/server.js'],
    ['src/broker/deep/x.ts', '../../atom/feed.js'],
    ['src/broker/x.ts', 'node:crypto'],
    ['src/clock/x.ts', '../broker/broker.js'],
    ['src/selector/x.ts', '../clock/clock.js'],
    ['src/http/x.ts', '../atom/feed.js'],
    ['src/http/x.ts', '../auth/guard.js'],
    ['src/atom/x.ts', '../auth/guard.js'],
    ['src/atom/x.ts', '../mappings/x.js'],
    ['src/atom/x.ts', 'node:http'],
    ['src/cli/x.ts', 'node:net'],
    ['src/mappings/primary/x.ts', '../../control/x.js'],
    ['src/mappings/primary/x.ts', 'node:http'],
    ['src/http/x.ts', '../index.js'],
    ['src/http/x.ts', 'fast-check'],
    ['src/http/x.ts', 'crypto'],
    ['src/http/x.ts', '#src/broker/broker.js'],
    ['src/http/x.ts', './server'],
    ['src/cli/x.ts', '../../conformance/index.js'],
    ['src/elsewhere/x.ts', 'node:fs'],
  ] as const) {
    t.type(complaint({ file, from }), 'string', `${file}: ${from}`)
  }
  for (const [file, from] of [
    ['src/broker/x.ts', './limits.js'],
    ['src/broker/x.ts', '../clock/clock.js'],
    ['src/http/x.ts', 'node:http'],
    ['src/mappings/primary/x.ts', '../../http/server.js'],
    ['src/mappings/primary/x.ts', '../batch/x.js'],
    ['src/cli/x.ts', '../index.js'],
    ['src/index.ts', './broker/broker.js'],
  ] as const) {
    t.equal(complaint({ file, from }), undefined, `${file}: ${from}`)
  }
  t.end()
})
