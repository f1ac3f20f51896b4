import { Problem } from '../../http/problems.js'
import { builtIn } from '../../platform/built-in.js'
import { nextTurn } from '../../platform/next-turn.js'

/** How long one expression may look at one text, and all of them in one turn of the event loop; milliseconds of processor. */
const LONGEST = 20
const LONGEST_TURN = 100

/** What makes it hard to say how long an expression may take: repeated groups, looks around, references, counts. */
const INTRICATE = /\)[*+?]|\(\?|\{|\\[1-9k]/
/** So many steps need not be stopped. To ask where that can be done takes as long as thousands of them. */
const LITTLE = 64 * 1024

/** How many steps an expression may take for a text at most, about: each repetition may begin and end at each character. */
function stepsOf(source: string, length: number): number {
  if (INTRICATE.test(source)) return Number.POSITIVE_INFINITY
  const choices = source.split('|').length - 1
  const repetitions = source.split(/[*+?]/).length - 1
  return source.length * 2 ** choices * (length + 1) ** (1 + repetitions)
}

/** What one expression is asked about a text, where it can be stopped. */
interface Sandbox {
  readonly asked: { expression: RegExp | undefined; text: string }
  /** @throws Error when it takes longer than {@link LONGEST} */
  readonly run: () => boolean
}

/** Only a script can be stopped while it runs. Undefined on a platform that has none, such as a browser. */
function makeSandbox(): Sandbox | undefined {
  const vm = builtIn('node:vm')
  if (vm === undefined) return undefined
  const script = new vm.Script('expression.test(text)')
  const asked = vm.createContext({ expression: undefined, text: '' }) as Sandbox['asked']
  return { asked, run: () => script.runInContext(asked, { timeout: LONGEST }) as boolean }
}

let sandbox: Sandbox | undefined
/** Those that took too long once are not asked again. */
const slow = new WeakSet<RegExp>()
/** What is left of this turn of the event loop, in milliseconds. */
let left = LONGEST_TURN

/**
 * Whether a regular expression that somebody gave fits a text. There are short ones that would go on for years, and
 * nobody else would be served meanwhile. Where the platform can stop none, as in a browser, whoever gives one waits for it.
 *
 * @throws Problem `malformed-request` when that takes too long
 */
export function testInTime(expression: RegExp, text: string): boolean {
  const { source } = expression
  if (stepsOf(source, text.length) <= LITTLE) return expression.test(text)
  if (slow.has(expression)) throw tooSlow(expression)
  if (left <= 0) throw tooMuch()
  sandbox ??= makeSandbox()
  if (sandbox === undefined) return expression.test(text)
  if (left === LONGEST_TURN) nextTurn(renew)
  const { asked, run } = sandbox
  asked.expression = expression
  asked.text = text
  const before = process.cpuUsage()
  const spent = () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  try {
    for (;;) {
      try {
        return run()
      } catch (error) {
        if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
        // On a busy machine it may have had no processor for all of that time.
        if (spent() < LONGEST) continue
        slow.add(expression)
        throw tooSlow(expression)
      }
    }
  } finally {
    left -= spent()
    asked.expression = undefined
    asked.text = ''
  }
}

function renew(): void {
  left = LONGEST_TURN
}

function tooMuch(): Problem {
  return new Problem(
    'malformed-request',
    `Regular expressions take more than ${LONGEST_TURN} ms here together; look for texts, or for less at once.`,
  )
}

function tooSlow({ source }: RegExp): Problem {
  return new Problem(
    'malformed-request',
    `The regular expression ${JSON.stringify(source.slice(0, 100))} takes too long; repeat nothing within what is repeated.`,
  )
}
