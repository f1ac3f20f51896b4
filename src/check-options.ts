import type { Credential } from './auth/principals-file.js'
import type { Broker } from './broker/broker.js'
import { DEFAULT_LIMITS } from './broker/limits.js'
import { DIALECT_NAMES } from './control/dialects/dialects.js'
import {
  type Given,
  optional,
  type Readers,
  readList,
  readMembers,
  readObject,
  readOneOf,
  readSwitch,
  readText,
  readWhole,
  wrong,
} from './control/input/read.js'
import { DEFAULT_JOURNAL_LIMITS } from './control/journal/journal.js'
import { readVerifyOptions } from './control/verify.js'
import { DEFAULT_EDGE_LIMITS } from './http/limits.js'
import { LONGEST_SPANS } from './longest-spans.js'
import type { HandlerOptions, ServerOptions } from './options.js'

/** What comes of reading an option is not kept. */
type OptionReaders<Options> = Readers<Record<keyof Options, unknown>>

/** How each option is read; that none is missing is the compiler's business. */
const HANDLER_READERS: OptionReaders<HandlerOptions> = {
  basePath: readText,
  publicUrl: readText,
  absoluteLinks: readSwitch,
  allowOrigins: readTexts,
  allowHosts: readTexts,
  queues: readTexts,
  limits: readLimits,
  principals: (given) => {
    for (const one of readList(given)) {
      const { principal, hash } = (one.value ?? {}) as Partial<Credential>
      if (!isObject(principal) || !(principal.roles instanceof Set) || hash?.length !== 32)
        wrong(one, 'a credential, as parsePrincipals makes it')
    }
  },
  autoCreate: readSwitch,
  broker: (given) => {
    if (!isObject(given.value) || !('clock' in given.value))
      wrong(given, 'a broker, as createBroker makes it')
    readLimits({ value: (given.value as Broker).limits, at: `${given.at}.limits` })
  },
  control: readSwitch,
  clock: (given) => {
    const { value } = given
    if (value === 'system' || value === 'manual') return
    if (!isObject(value) || !('now' in value && 'at' in value)) wrong(given, '"system", "manual" or a clock')
  },
  journal: (given) => {
    if (typeof given.value === 'boolean') return
    if (!isObject(given.value)) wrong(given, 'true, false or an object')
    const most = readObject(given, Object.keys(DEFAULT_JOURNAL_LIMITS))
    for (const limit of Object.values(most)) {
      optional(limit, (count) => readWhole(count, 0, Number.MAX_SAFE_INTEGER))
    }
  },
  dialect: (given) => readOneOf(given, DIALECT_NAMES),
  strict: (given) => {
    if (typeof given.value !== 'boolean') readVerifyOptions(given)
  },
  // What is in it is read when it is sown.
  seed: (given) => {
    if (!isObject(given.value)) wrong(given, 'an object')
  },
}

/** The same for a server that listens. */
export const SERVER_READERS: OptionReaders<ServerOptions> = {
  port: (given) => readWhole(given, 0, 65_535),
  host: (given) => {
    // To node:net an empty host is every address of the machine.
    if (readText(given) === '') wrong(given, 'the name or the number of an address, such as 127.0.0.1')
  },
  ...HANDLER_READERS,
}

/**
 * Sees that what a server is told can be meant: a program in JavaScript has no compiler to say so, and a member that
 * is misspelt, or a text in the place of a list, would do something else in silence.
 *
 * @throws Problem `malformed-request`, whose message names the member
 */
export function checkHandlerOptions(options: HandlerOptions): void {
  readMembers({ value: options, at: '' }, HANDLER_READERS)
}

/** The same for a server that listens. @throws Problem `malformed-request`, whose message names the member */
export function checkServerOptions(options: ServerOptions): void {
  readMembers({ value: options, at: '' }, SERVER_READERS)
}

function readTexts(given: Given): void {
  for (const one of readList(given)) readText(one)
}

function readLimits(given: Given): void {
  const limits = readObject(given, Object.keys({ ...DEFAULT_LIMITS, ...DEFAULT_EDGE_LIMITS }))
  const longest: Readonly<Record<string, number>> = LONGEST_SPANS
  for (const [name, limit] of Object.entries(limits)) optional(limit, (one) => readLimit(one, longest[name]))
}

/** @param longest of a span, in milliseconds */
function readLimit(given: Given, longest: number | undefined): void {
  const { value } = given
  if (typeof value !== 'number' || !(value >= 0)) wrong(given, 'a number, 0 or more')
  if (longest !== undefined && value > longest) wrong(given, `0 to ${longest} milliseconds`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
