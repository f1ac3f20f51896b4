import { TOPICS } from '../requirements/clause.js'
import { findClause, LEDGER } from '../requirements/index.js'
import { nearest } from './nearest.js'
import { Mistake, parse } from './parse.js'
import type { Step } from './step.js'

/** A check that is a scenario. What must be seen follows from the model. */
export interface Row {
  readonly id: string
  /** Ids of the clauses that are at stake. Its title, grade and feature are those of the first. */
  readonly clauses: readonly string[]
  readonly steps: readonly Step[]
  /** What the last request of the step with `!` is answered with, or shows, and what that choice is called in reports. */
  readonly answers?: {
    readonly what: number | readonly string[]
    /** Whether they are shown in this order. */
    readonly inOrder?: true
    readonly point: string
  }
  /** Whether nobody else may ask the target for anything meanwhile. */
  readonly alone?: true
}

/**
 * Reads rows: a line with the id of a check, a colon and the ids of its clauses, and below it, indented, its scenario.
 *
 * Where the document is silent, the head may say how the step with `!` is answered, or which messages it shows:
 * `ack.repeat: ack.repeat answers 200 as repeated-ack`, `queues.delete-held: queues.delete.held shows m2 as held-messages`;
 * and in this order: `shows m1 m2 in order as order`.
 *
 * It ends with `alone` where nobody else may ask the target for anything meanwhile.
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
  if (stray >= 0) throw new Mistake(stray + 1, 1, 'a row begins with its id and a colon.')
  const rows = heads.map((at, place) => readRow(lines, at, heads[place + 1] ?? lines.length))
  const twice = rows.find(({ id }, place) => rows.findIndex((each) => each.id === id) < place)
  if (twice !== undefined)
    throw new Mistake(heads[rows.lastIndexOf(twice)]! + 1, 1, `${twice.id} stands twice.`)
  return rows
}

/** What the end of a head says of the step with `!`. */
const SAYS = /^(.*?)\s+(?:answers\s+(\d{3})|shows\s+(\S.*?)(\s+in\s+order)?)\s+as\s+(\S+)$/

function readRow(lines: readonly string[], at: number, end: number): Row {
  const line = lines[at]!.replace(/\s#.*$/, '').trim()
  const [, said, isAlone] = /^(.*?)(\s+alone)?$/.exec(line)!
  const [, before = said!, status, shown, inOrder, point = ''] = SAYS.exec(said!) ?? []
  const [head = '', ...ids] = before.split(/\s+/)
  const mistake = (word: string, why: string, words: Iterable<string>) => {
    const [near] = nearest(word, words)
    const hint = near === undefined ? '' : ` The nearest is ${near}.`
    return new Mistake(at + 1, lines[at]!.indexOf(word) + 1, `${why}.${hint}`)
  }
  const id = head.slice(0, -1)
  if (!head.endsWith(':')) throw mistake(head, `${head} is no id with a colon behind it`, [])
  if (!new RegExp(`^(?:${TOPICS.join('|')})\\.[a-z0-9][a-z0-9-]*$`).test(id))
    throw mistake(head, `the id ${id} is not a topic, a dot and a name`, [])
  if (ids.length === 0) throw mistake(head, `${id} names no clause`, [])
  for (const clause of ids.filter((each) => findClause(each) === undefined)) {
    const all = LEDGER.map((each) => each.id)
    throw mistake(clause, `no clause has the id ${clause}`, all)
  }
  const steps = parse(lines.slice(at + 1, end).join('\n'), true, at + 2)
  if (steps.length === 0) throw mistake(head, `${id} has no step`, [])
  const row = { id, clauses: ids, steps, ...(isAlone === undefined ? {} : { alone: true as const }) }
  if (point === '') return row
  if (!steps.some(({ own }) => own))
    throw mistake(status === undefined ? 'shows' : 'answers', `${id} has no step with a !`, [])
  const what =
    status === undefined ? shown!.split(/\s+/).filter((name) => name !== 'nothing') : Number(status)
  return { ...row, answers: { what, point, ...(inOrder === undefined ? {} : { inOrder: true as const }) } }
}
