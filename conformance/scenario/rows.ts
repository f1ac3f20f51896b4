import { TOPICS } from '../requirements/clause.js'
import { findClause, LEDGER } from '../requirements/index.js'
import { nearest } from './nearest.js'
import { Mistake, parse } from './parse.js'
import type { Step } from './step.js'

/** What a row says of what the document leaves open: how each step with `!` is answered at last, or which messages that shows. */
export interface Said {
  /** The answer to each of these steps in order, and the last one to those behind it. */
  readonly answers?: readonly SaidAnswer[]
  readonly shows?: readonly string[]
  /** Whether they are shown in this order. */
  readonly inOrder?: true
  /** What that choice is called in reports. */
  readonly point: string
}

export interface SaidAnswer {
  /** Statuses, as `405`, or `4xx` for any such. */
  readonly statuses: readonly string[]
  /** Headers that the answer has, with words that each holds, or that it has not. */
  readonly headers?: readonly SaidHeader[]
  /** Elements of its XML, as `name value`: all of these names, where they have a value; of one without, there is any. */
  readonly elements?: readonly string[]
}

export interface SaidHeader {
  readonly name: string
  readonly words: readonly string[]
  readonly isAbsent?: true
}

/** A check that is a scenario. What must be seen follows from the model. */
export interface Row {
  readonly id: string
  /** Ids of the clauses that are at stake. Its title, grade and feature are those of the first. */
  readonly clauses: readonly string[]
  readonly steps: readonly Step[]
  readonly says?: Said
  /** Whether nobody else may ask the target for anything meanwhile. */
  readonly alone?: true
}

/**
 * Reads rows: a line with the id of a check, a colon and the ids of its clauses, and below it, indented, its scenario.
 *
 * Where the document is silent, the head may say how each step with `!` is answered, or which messages it shows:
 * `ack.repeat: ack.repeat answers 200 as repeated-ack`, `queues.delete-held: queues.delete.held shows m2 as held-messages`;
 * and in this order: `shows m1 m2 in order as order`. Statuses may be several, and headers stand behind them, with words that each
 * holds: `answers 405 or 501 with Allow: GET POST and Content-Type as method`; `4xx` is any refusal, and `no ETag` a header that is not
 * there. Behind `holding` stand elements of the answer's XML with their texts: `answers 200 holding deliveries 1 as delivery`. `then`
 * parts the answers to several steps: `answers 200 then 404 as twice`.
 *
 * It ends with `alone` where nobody else may ask the target for anything meanwhile; where it has `wait late`, after that.
 *
 * ```text
 * ack.leaves-others: ack.only-that consume.repeat
 *   create a; send m1 m2 m3 to a
 *   subscribe A to a; read A
 *   ack A m2
 *   ! read A
 * ```
 *
 * @throws {Mistake} with the line and column of the text
 */
export function parseRows(text: string): Row[] {
  const lines = text.split(/\r?\n/)
  const heads = lines.flatMap((line, at) => (/^[^\s#]/.test(line) ? [at] : []))
  const stray = lines.findIndex((line, at) => at < (heads[0] ?? lines.length) && !/^\s*(?:#|$)/.test(line))
  if (stray >= 0) throw new Mistake(stray + 1, 1, 'a row begins with its id and a colon')
  const rows = heads.map((at, place) => readRow(lines, at, heads[place + 1] ?? lines.length))
  const twice = rows.find(({ id }, place) => rows.findIndex((each) => each.id === id) < place)
  if (twice !== undefined)
    throw new Mistake(heads[rows.lastIndexOf(twice)]! + 1, 1, `${twice.id} stands twice`)
  return rows
}

/** What the end of a head says of the steps with `!`. */
const SAYS = /^(.*?)\s+(?:answers\s+(\S.*?)|shows\s+(\S.*?)(\s+in\s+order)?)\s+as\s+(\S+)$/
const ANSWERS =
  /^([1-5](?:\d\d|xx)(?:\s+or\s+[1-5](?:\d\d|xx))*)(?:\s+with\s+([\w-].*?))?(?:\s+holding\s+(\S.*))?$/

function readRow(lines: readonly string[], at: number, end: number): Row {
  const line = lines[at]!.replace(/\s#.*$/, '').trim()
  const [, told, isAlone] = /^(.*?)(\s+alone)?$/.exec(line)!
  const [, before = told!, answered, shown, inOrder, point] = SAYS.exec(told!) ?? []
  const [head = '', ...ids] = before.split(/\s+/)
  const mistake = (word: string, why: string, words: Iterable<string> = []) =>
    new Mistake(at + 1, lines[at]!.indexOf(word) + 1, why, nearest(word, words)[0])
  const id = head.slice(0, -1)
  if (!head.endsWith(':')) throw mistake(head, `${head} is no id with a colon behind it`)
  if (!new RegExp(`^(?:${TOPICS.join('|')})\\.[a-z0-9][a-z0-9-]*$`).test(id))
    throw mistake(head, `the id ${id} is not a topic, a dot and a name`)
  if (ids.length === 0) throw mistake(head, `${id} names no clause`)
  for (const clause of ids.filter((each) => findClause(each) === undefined)) {
    const all = LEDGER.map((each) => each.id)
    throw mistake(clause, `no clause has the id ${clause}`, all)
  }
  const steps = parse(lines.slice(at + 1, end).join('\n'), true, at + 2)
  if (steps.length === 0) throw mistake(head, `${id} has no step`)
  const row = { id, clauses: ids, steps, ...(isAlone === undefined ? {} : { alone: true as const }) }
  if (point === undefined) return row
  const word = answered === undefined ? 'shows' : 'answers'
  if (!steps.some(({ own }) => own)) throw mistake(word, `${id} has no step with a !`)
  if (answered === undefined) {
    const shows = shown!.split(/\s+/).filter((name) => name !== 'nothing')
    return { ...row, says: { shows, point, ...(inOrder === undefined ? {} : { inOrder: true as const }) } }
  }
  const answers = answered.split(/\s+then\s+/).map((each): SaidAnswer => {
    const [, statuses, headers, elements] = ANSWERS.exec(each) ?? []
    if (statuses === undefined) throw mistake(word, `${id} says no status as 404, 4xx or 405 or 501`)
    return {
      statuses: statuses.split(/\s+or\s+/),
      ...(headers === undefined ? {} : { headers: headers.split(AND).map(header) }),
      ...(elements === undefined ? {} : { elements: elements.split(AND) }),
    }
  })
  return { ...row, says: { answers, point } }
}

const AND = /\s+and\s+/

/** What a row says, as its head has it. */
export function printSaid(said: Said): string {
  const { answers = [], shows, inOrder, point } = said
  if (shows !== undefined)
    return `shows ${shows.join(' ') || 'nothing'}${inOrder ? ' in order' : ''} as ${point}`
  return `answers ${answers.map(printAnswer).join(' then ')} as ${point}`
}

/** An answer as a row says it: `405 with Allow: GET POST`. */
export function printAnswer({ statuses, headers = [], elements = [] }: SaidAnswer): string {
  const fields = headers.map(({ name, words, isAbsent }) =>
    isAbsent ? `no ${name}` : words.length === 0 ? name : `${name}: ${words.join(' ')}`,
  )
  return [
    statuses.join(' or '),
    ...(fields.length > 0 ? ['with', fields.join(' and ')] : []),
    ...(elements.length > 0 ? ['holding', elements.join(' and ')] : []),
  ].join(' ')
}

/** A header as `Allow: GET POST`, or as `no Allow`. */
function header(text: string): SaidHeader {
  if (text.startsWith('no ')) return { name: text.slice(3), words: [], isAbsent: true }
  const [name = '', ...words] = text.split(/:\s*|\s+/)
  return { name, words }
}
