import { cut } from '../../client/answered.js'
import { withMostDependents } from '../dependents.js'
import { flakeStatuses } from '../notes.js'
import type { CheckResult, ReportedExchange } from '../result.js'
import { nearestDefect } from './nearest-defect.js'
import { argument, few, type ReportContext, type StepFinder } from './report-context.js'

/** More faults that fail alike than this are no hint. */
const FEW_DEFECTS = 2
/** Characters of a refused body that a sentence shows. */
const SENT = 200

/** Where nothing is as it should be, the owner may be shut out, or the interface be elsewhere. */
const reachTheInterface: StepFinder = (context) => {
  const { report, failures } = context
  const first = firstSteady(context)
  const shut = first && refusalOf(first)
  if (shut) {
    const { method, url } = shut.request
    return `Give the owner's credentials in headers of the profile, since ${method} ${url} was answered with ${shut.response?.status}.`
  }
  if (report.counts.pass > 0 || !failures.some(({ id }) => id === 'queues.create')) return undefined
  return {
    sentence: `Make sure that ${report.target.url} is what stands before /queues, since not one check passed, and see what a probe tries there:`,
    commands: context.probeAndRun().slice(0, 1),
  }
}

/** What is sent as the profile says: its field, by the check that asks whether it is taken. */
const SHAPED: Readonly<Record<string, string>> = {
  'queues.create': 'createQueue',
  'send.post': 'message',
  'dedup.send': 'guid',
  'subscribe.create': 'subscription',
}
/** Refusals that are not of what was sent, but of who sent it, where, or when. */
const OF_NO_BODY: readonly number[] = [401, 403, 404, 405, 408, 409, 410, 421, 429]

/** Where the target refuses what the profile told the kit to send, the question that comes first. */
export function profileDoubt(results: readonly CheckResult[]): string | undefined {
  for (const { id, status, known, seen, exchanges } of results) {
    const field = SHAPED[id]
    const last = exchanges.at(-1)
    const refusal = last?.response?.status ?? 0
    const isRefused = refusal >= 400 && refusal < 500 && !OF_NO_BODY.includes(refusal)
    if (status !== 'fail' || known !== undefined || field === undefined || !isRefused) continue
    const { method, body } = last!.request
    const sent = body.data === '' ? method : `${method} of ${JSON.stringify(cut(body.data, SENT))}`
    return `Is the profile right? Its field ${field} made the ${sent}, and what came was ${seen}`
  }
  return undefined
}

const checkTheProfile: StepFinder = ({ failures }) => profileDoubt(failures)

const mendTheFirst: StepFinder = (context) => {
  const first = firstSteady(context)
  if (first === undefined) return undefined
  const { id, clauses } = first
  const count = context.failures.length
  const named = `${id} (clause ${clauses[0]}${clauses.length > 1 ? ` and ${clauses.length - 1} more` : ''})`
  const place = count > 1 ? `, the first of ${count} failures from the ground up` : ''
  return {
    sentence: `${count > 1 ? 'Begin with' : 'Mend'} ${named}${context.whatHangsOn(id) || place}; read what it asks, then run it alone:`,
    commands: [context.kit('explain', argument(id)), context.run('--only', argument(id))],
  }
}

/** What not one answer bears out may have been claimed by mistake. */
const claimNoMore: StepFinder = ({ report, failures }) => {
  const absent = Object.entries(report.features).flatMap(([feature, { claimed, seen }]) =>
    claimed && seen === false && failures.some((failure) => failure.feature === feature) ? [feature] : [],
  )
  if (absent.length === 0) return undefined
  const fields = few(absent.map((feature) => `features.${feature}`))
  return `Set ${fields} to false in the profile where the target is not meant to have ${absent.length === 1 ? 'it' : 'them'}, since no check of ${few(absent)} passed.`
}

const lookForTheFault: StepFinder = ({ report, failures }) => {
  // What passes nothing is no server with a fault, but hardly a server yet.
  const nearest = failures.length > 0 && report.counts.pass > 0 ? nearestDefect(report) : undefined
  if (nearest === undefined || nearest.defects.length > FEW_DEFECTS) return undefined
  const defects = nearest.defects.map((defect) => `"${defect.replace(/\.$/, '')}"`)
  return `Look for ${defects.length === 1 ? 'this fault' : 'one of these faults'}, with which servers fail alike: ${defects.join(', or ')}.`
}

/** What fails now and then is asked with nothing beside it: then it may never fail, which tells where to look. */
const askTheUnsteadyAlone: StepFinder = (context) => {
  const failing = new Set(context.failures.map(({ id }) => id))
  const flake = context.report.repeat?.flaky.find(({ id }) => failing.has(id))
  if (flake === undefined) return undefined
  return {
    sentence: `See whether ${flake.id}, which was not always the same (${flakeStatuses(flake)}), fails with nothing beside it too:`,
    commands: [context.run('--only', argument(flake.id), '--repeat', '50')],
  }
}

/** After failures that count: from what hinders most to what hinders least. */
export const STEPS_AFTER_FAILURES: readonly StepFinder[] = [
  reachTheInterface,
  checkTheProfile,
  mendTheFirst,
  claimNoMore,
  lookForTheFault,
  askTheUnsteadyAlone,
]

/** Of failures that are there each time, the one on which most hangs. */
function firstSteady({ failures, flaky, dependents }: ReportContext): CheckResult | undefined {
  return withMostDependents(
    failures.filter(({ id }) => !flaky.has(id)),
    dependents,
  )
}

/** The last answer of a check, where it is a refusal of whoever asked and the check is not about refusals. */
function refusalOf({ topic, exchanges }: CheckResult): ReportedExchange | undefined {
  const last = exchanges.at(-1)
  const status = last?.response?.status
  return topic !== 'auth' && (status === 401 || status === 403) ? last : undefined
}
