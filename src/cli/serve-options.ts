import { parseArgs } from 'node:util'
import { parsePrincipals } from '../auth/principals-file.js'
import { type ClientRule, RULES } from '../control/client/rules.js'
import { DIALECT_NAMES } from '../control/dialects/dialects.js'
import { parseSeed } from '../control/seed/seed.js'
import type { ServerOptions } from '../options.js'
import { LIMIT_FLAGS, readLimit } from './limit-flags.js'
import { readTextFile } from './text-file.js'
import { UsageError, usageErrorOf } from './usage-error.js'

/** Port that `serve` listens on unless it is told. */
export const DEFAULT_PORT = 8080

/** An option of `serve` that is not a limit. */
interface Flag {
  readonly type: 'string' | 'boolean'
  readonly multiple?: true
  /** What stands for the value in the help. */
  readonly value?: string
  readonly help: string
}

/** The options of `serve`, in the order of its help. */
export const FLAGS = {
  port: { type: 'string', value: 'N', help: `port to listen on; 0 takes a free one (${DEFAULT_PORT})` },
  host: { type: 'string', value: 'H', help: 'address to listen on (127.0.0.1)' },
  'base-path': { type: 'string', value: 'P', help: 'path prefix of the whole interface, such as /mq' },
  'public-url': { type: 'string', value: 'URL', help: 'base URL as clients know it; makes links absolute' },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: 'H',
    help: 'another Host to answer for; repeatable',
  },
  'absolute-links': { type: 'boolean', help: 'links are whole, at the host that a request is for' },
  'allow-origin': {
    type: 'string',
    multiple: true,
    value: 'O',
    help: 'a site whose pages may use the server; repeatable',
  },
  auth: { type: 'string', value: 'FILE', help: 'principals who may do something; without it everybody may' },
  'auto-create': { type: 'boolean', help: 'a send to a queue that is not there creates it' },
  queue: { type: 'string', multiple: true, value: 'NAME', help: 'a queue to begin with; repeatable' },
  control: { type: 'boolean', help: "a mock broker's extras, below /_control; for tests" },
  clock: { type: 'string', value: 'KIND', help: 'manual: time goes on only when it is told to (system)' },
  dialect: {
    type: 'string',
    value: 'NAME',
    help: 'another way to write Atom: prefixed, paged, … all (plain)',
  },
  seed: { type: 'string', value: 'FILE', help: 'queues and messages to begin with, as JSON' },
  ignore: { type: 'string', multiple: true, value: 'RULE', help: 'a rule that is not judged; repeatable' },
  'judge-client': { type: 'boolean', help: 'tell at the end which rules for clients were broken' },
  'port-file': { type: 'string', value: 'FILE', help: 'file to write the port to, while it is open' },
  quiet: { type: 'boolean', help: 'nothing but the URL' },
  help: { type: 'boolean', help: 'this text' },
} as const satisfies Readonly<Record<string, Flag>>

/** What the command line of `serve` says. */
export interface ServeOptions {
  readonly server: ServerOptions
  /** Where the port is written to; undefined for nowhere. */
  readonly portFile: string | undefined
  /** Whether clients are judged, and the report printed at the end. */
  readonly judgeClient: boolean
  /** Rules for clients that are not looked at. */
  readonly ignore: readonly ClientRule[]
  readonly quiet: boolean
  readonly help: boolean
}

type Command = 'serve' | 'run'
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the options of `serve`. Each is also an environment variable, `ATOM_MQ_` and its name in capitals with `_`
 * for `-`; lists are separated by commas there, and a switch is on when it is `1` or `true`. The command
 * line goes before the environment, and a mistake is told by the name under which it was made.
 *
 * @param command whose options they are: `run` has those of `serve`, takes a free port, and always judges
 * @throws UsageError
 */
export function serveOptions(
  args: readonly string[],
  environment: Environment,
  command: Command = 'serve',
): ServeOptions {
  const commandLine = fromCommandLine(args, command)
  const defaults: Given = command === 'run' ? { port: '0' } : {}
  const given = { ...defaults, ...fromEnvironment(environment), ...commandLine }
  const text = (name: string) => given[name] as string | undefined
  const nameOf = (flag: string) => (flag in commandLine ? `--${flag}` : variableOf(flag))
  const list = (name: string) => (given[name] as string[] | undefined) ?? []
  const server: ServerOptions = {
    port: readPort(nameOf('port'), text('port')),
    allowHosts: list('allow-host'),
    queues: list('queue'),
    autoCreate: given['auto-create'] === true,
    absoluteLinks: given['absolute-links'] === true,
    allowOrigins: list('allow-origin'),
    limits: readLimits(given, nameOf),
  }
  const host = text('host')
  // To node:net an empty host is every address of the machine.
  if (host === '') throw new UsageError('--host takes the name or the number of an address, not "".')
  if (host !== undefined) server.host = host
  const basePath = text('base-path')
  if (basePath !== undefined) server.basePath = basePath
  const publicUrl = text('public-url')
  if (publicUrl !== undefined) server.publicUrl = publicUrl
  const auth = text('auth')
  if (auth !== undefined) server.principals = readFileWith(nameOf('auth'), auth, parsePrincipals)
  if (given.control === true) server.control = true
  server.clock = readOneOf(nameOf('clock'), text('clock') ?? 'system', ['system', 'manual'] as const)
  const dialect = text('dialect')
  if (dialect !== undefined) server.dialect = readOneOf(nameOf('dialect'), dialect, DIALECT_NAMES)
  const seed = text('seed')
  if (seed !== undefined) server.seed = readFileWith(nameOf('seed'), seed, parseSeed)
  const portFile = text('port-file')
  if (portFile === '') throw new UsageError('--port-file takes the name of a file, not "".')
  const judgeClient = given['judge-client'] === true
  const ignore = list('ignore').map((rule) => readOneOf(nameOf('ignore'), rule, RULES))
  if (ignore.length > 0 && !judgeClient && command === 'serve') {
    throw new UsageError(`${nameOf('ignore')} needs --judge-client: nothing is judged without it.`)
  }
  if (judgeClient) server.journal = true
  return { server, portFile, judgeClient, ignore, quiet: given.quiet === true, help: given.help === true }
}

/** The name of an option as an environment variable. */
export function variableOf(flag: string): string {
  return `ATOM_MQ_${flag.toUpperCase().replaceAll('-', '_')}`
}

type Given = Record<string, string | boolean | string[] | undefined>

function allFlags(): Record<string, Flag> {
  const limits = Object.values(LIMIT_FLAGS).map(
    ({ flag, help }) => [flag, { type: 'string' as const, help }] as const,
  )
  return { ...FLAGS, ...Object.fromEntries(limits) }
}

function fromCommandLine(args: readonly string[], command: Command): Given {
  const options = Object.fromEntries(
    Object.entries(allFlags()).map(([name, { type, multiple }]) => [
      name,
      { type, multiple: multiple ?? false },
    ]),
  )
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false })
    return values as Given
  } catch (error) {
    throw usageErrorOf(error, command)
  }
}

function fromEnvironment(environment: Environment): Given {
  const given: Given = {}
  for (const [name, { type, multiple }] of Object.entries(allFlags())) {
    const value = environment[variableOf(name)]
    if (value === undefined || value === '') continue
    if (type === 'string') given[name] = multiple ? value.split(',').map((one) => one.trim()) : value
    else if (/^(1|true|0|false)$/.test(value)) given[name] = value === '1' || value === 'true'
    else throw new UsageError(`${variableOf(name)} takes 1 or 0, not ${JSON.stringify(value)}.`)
  }
  return given
}

function readFileWith<T>(name: string, file: string, parse: (text: string) => T): T {
  try {
    return parse(readTextFile(file))
  } catch (error) {
    throw new UsageError(`${name} ${file}: ${(error as Error).message}`)
  }
}

/** @throws UsageError */
export function readOneOf<T extends string>(name: string, text: string, all: readonly T[]): T {
  const one = all.find((each) => each === text)
  if (one !== undefined) return one
  throw new UsageError(
    `${name} takes ${all.slice(0, -1).join(', ')} or ${all.at(-1)}, not ${JSON.stringify(text)}.`,
  )
}

function readPort(name: string, text: string = String(DEFAULT_PORT)): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`${name} takes 0 to 65535, not ${JSON.stringify(text)}.`)
}

function readLimits(given: Given, nameOf: (flag: string) => string): NonNullable<ServerOptions['limits']> {
  const limits: NonNullable<ServerOptions['limits']> = {}
  for (const limit of Object.keys(LIMIT_FLAGS) as (keyof typeof LIMIT_FLAGS)[]) {
    const { flag, unit, least, most } = LIMIT_FLAGS[limit]
    const text = given[flag]
    if (typeof text !== 'string') continue
    const value = readLimit(limit, text)
    if (value === undefined) {
      const what = unit === 'count' ? 'a number' : unit
      throw new UsageError(
        `${nameOf(flag)} takes ${what} from ${least} to ${most}, not ${JSON.stringify(text)}.`,
      )
    }
    limits[limit] = value
  }
  return limits
}
