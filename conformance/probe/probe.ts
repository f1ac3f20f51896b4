import { baseUrlOf } from '../client/base-url.js'
import { makeContact } from '../client/contact.js'
import { Credentials } from '../client/credentials.js'
import { deleteQueues } from '../client/delete-queues.js'
import { HttpClient } from '../client/http-client.js'
import { Pace } from '../client/pace.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import { FEATURES, type Feature, type Profile, valueAt } from '../client/profile.js'
import { Sockets } from '../client/sockets.js'
import type { Check } from '../trial/check.js'
import { FEATURE_FINDINGS } from './feature-findings.js'
import { findBase } from './find-base.js'
import { findCreateQueue } from './find-create-queue.js'
import { findArrival, findDelivery } from './find-delivery.js'
import { findDestination, type Subscribes } from './find-destination.js'
import { findDestinationForm } from './find-destination-form.js'
import { findLease } from './find-lease.js'
import { findMessageAddress } from './find-message-address.js'
import { findNameForms } from './find-name-forms.js'
import { findPace, findRoom } from './find-pace.js'
import { findPrefetch } from './find-prefetch.js'
import { findLongestMessage, findMessageForm, findSending } from './find-sending.js'
import { type Note, Prober } from './prober.js'
import { findLongestLease } from './timeout-format.js'

/**
 * How a probe is made; everything has a default.
 *
 * @example
 * ```ts
 * const options: ProbeOptions = { quick: true }
 * ```
 */
export interface ProbeOptions {
  /** What is known already: tried first, and kept where nothing better is found. Default: the reference's ways. */
  readonly profile?: Profile
  /** Waits for no lease to end. */
  readonly quick?: boolean
  /** Origins beside the target's own that are sent the profile's headers where an answer of the target leads there. */
  readonly origins?: readonly string[]
  readonly signal?: AbortSignal
}

/**
 * What a probe has found out.
 *
 * @example
 * ```ts
 * const offers = ({ profile }: Probe) => profile.features
 * ```
 */
export interface Probe {
  /** A draft: features are claimed where they were seen, and other fields are as they were where nothing was seen. */
  readonly profile: Profile
  readonly notes: readonly Note[]
  /**
   * What could not be found though the target may have it, and every check depends on, with a sentence each: then
   * a run can say little.
   */
  readonly unseen: Readonly<Partial<Record<Essential, string>>>
  /** Whether anything useful was found: at least what defines a queue. */
  readonly useful: boolean
}

/**
 * What no run can do without.
 *
 * @example
 * ```ts
 * const missing: Essential = 'createQueue'
 * ```
 */
export type Essential = 'createQueue' | 'destination' | 'prefetch' | 'lease'

/**
 * Finds out what a target offers and how it is spoken to, in bounded time and with names of its own.
 *
 * @throws {BaseUrlError} where `url` is not one that a target can have
 * @throws {Unreachable} where nothing takes a connection
 *
 * @example
 * ```ts
 * const probe = (address: string) => probeTarget(address, { quick: true })
 * ```
 */
export async function probeTarget(url: string, options: ProbeOptions = {}): Promise<Probe> {
  const { profile = DEFAULT_PROFILE, quick = false, origins = [], signal } = options
  const baseUrl = baseUrlOf(url)
  const pace = new Pace(profile.requestsPerSecond)
  const credentials = new Credentials(profile, [baseUrl, ...origins])
  const client = new HttpClient(new Sockets(), pace, credentials)
  let end = () => {}
  try {
    const { latency, answers } = await makeContact(baseUrl, profile, client, 4, signal)
    const prober = new Prober({ baseUrl, client, profile, latency, ...(signal ? { signal } : {}) })
    end = () => prober.end()
    for (const feature of FEATURES) prober.draft.features[feature] = false
    // What is still unknown at the end is found out here.
    prober.draft.unknown = []
    if (answers) {
      await prober.find('requestsPerSecond', () => findPace(prober, pace))
      const probe = paced(await explore(prober, quick), pace.requestsPerSecond)
      const { doubt } = credentials
      return doubt === undefined
        ? probe
        : { ...probe, notes: [...probe.notes, { about: 'headers', text: `${doubt}.` }] }
    }
    prober.note('base URL', 'The target takes connections and answers nothing in HTTP.')
    return probeOf(prober, {}, false)
  } finally {
    end()
    await deleteQueues(client, profile, 8, signal)
    client.close()
  }
}

/**
 * Why a check cannot be asked of a target of which a probe has not seen what the check needs: a failure would then be
 * nobody's fault. What builds on such a check is blocked by it.
 *
 * @example
 * ```ts
 * const judged = (address: string, probe: Probe) =>
 *   runConformance(address, { profile: probe.profile, skipReason: skipReason(probe), probed: true }).report
 * ```
 */
export function skipReason({ unseen }: Pick<Probe, 'unseen'>): (check: Check) => string | undefined {
  return ({ id, passesTime }) => {
    // Without a prefetch much can be judged; what needs one says so itself.
    const subscribing = unseen.destination
    if (id === 'queues.create' && unseen.createQueue !== undefined) return unseen.createQueue
    if (id === 'subscribe.create' && subscribing !== undefined) return subscribing
    return passesTime ? (subscribing ?? unseen.lease) : undefined
  }
}

/** A draft with the pace that was kept to in the end, where the target refused more only later. */
function paced(probe: Probe, requestsPerSecond: number | undefined): Probe {
  const { profile, notes } = probe
  if (requestsPerSecond === undefined || profile.requestsPerSecond !== null) return probe
  if (profile.unknown.includes('requestsPerSecond')) return probe
  const text = `The target answered 429 to more; ${requestsPerSecond} a second was what it then took.`
  return {
    ...probe,
    profile: { ...profile, requestsPerSecond },
    notes: [...notes, { about: 'requestsPerSecond', text }],
  }
}

async function explore(prober: Prober, quick: boolean): Promise<Probe> {
  const unseen: Partial<Record<Essential, string>> = {}
  const useful = async () => {
    const base = await prober.find('base URL', () => findBase(prober))
    if (base === 'elsewhere') unseen.createQueue = 'the queues are not below this base URL.'
    if (base === 'closed')
      unseen.createQueue = 'the target wants credentials, which a profile gives in headers.'
    if (base !== 'here') return false
    const definition = await prober.find('createQueue', () => findCreateQueue(prober))
    if (definition === 'refused')
      unseen.createQueue = 'what defines a queue could not be seen: give createQueue.'
    return definition === 'found'
  }
  const isUseful = await useful()
  if (unseen.createQueue === undefined) {
    const why = await prober.find('base URL', () => prober.whyNotJudged())
    if (why !== undefined) {
      unseen.createQueue = `${why}.`
      prober.note('base URL', `There is nothing to be judged: ${unseen.createQueue}`)
      return probeOf(prober, unseen, false)
    }
  }
  if (!isUseful) {
    if (unseen.createQueue !== undefined) leaveOpen(prober, FEATURES)
    return probeOf(prober, unseen, false)
  }
  await prober.find('queueNames', () => findNameForms(prober))
  await prober.find('message', () => findMessageForm(prober))
  await prober.find('settleSeconds', () => findSending(prober))
  await prober.find('message.maxBytes', () => findLongestMessage(prober))
  const names = ['guid', 'subtree', 'dotted-names', 'single-path'] as const
  let subscribes: Subscribes | undefined
  await prober.together([
    async () => {
      subscribes = await prober.find('subscription.parameters.destination', () => findDestination(prober))
    },
    ...names.map((feature) => () => look(prober, feature)),
  ])
  if (subscribes === 'refused') {
    unseen.destination =
      'what subscribes could not be seen: give subscription.parameters and subscription.fixed.'
  }
  if (subscribes === 'closed') {
    unseen.destination =
      'the target wants credentials for subscriptions, which --header or the headers of a profile give.'
  }
  if (subscribes === 'found') {
    await prober.find('message.arrives', () => findArrival(prober))
    await prober.find('readings', () => prober.findHeldReadings())
    await prober.find('room', () => findRoom(prober))
    // Bounds what the others are handed, so it comes before them.
    if (!(await prober.find('subscription.parameters.prefetch', () => findPrefetch(prober)))) {
      unseen.prefetch = 'the field of the prefetch could not be seen: give subscription.parameters.prefetch.'
      // The forms were taken without it.
      prober.draft.subscription.parameters.prefetch = null
      // What asks for one from here on cannot be told either.
      prober.draft.unknown.push(FIELDS.prefetch)
    }
    await prober.find('messageUri', () => findMessageAddress(prober))
    await prober.find('subscription.destination', () => findDestinationForm(prober))
    let lease: boolean | undefined
    await prober.together([
      async () => {
        lease = await prober.find('subscription.leaseSeconds', () => findLease(prober, { quick }))
      },
      ...(['wildcards', 'selector', 'auth'] as const).map((feature) => () => look(prober, feature)),
      () => prober.find('binding', () => findDelivery(prober)),
      () => alternatives(prober),
    ])
    if (lease) await prober.find('subscription.maxLeaseSeconds', () => findLongestLease(prober))
    else
      unseen.lease =
        'the length of a lease could not be seen: give subscription.parameters.timeout or leaseSeconds.'
  } else {
    prober.knowsArrival = true
    await alternatives(prober)
    if (subscribes !== 'absent') {
      leaveOpen(prober, SUBSCRIBERS)
      prober.draft.unknown.push(...OF_SUBSCRIPTIONS.filter((field) => isUsual(prober.draft, field)))
    }
  }
  prober.draft.subscription.fixed = { ...prober.draft.subscription.fixed, ...prober.needed }
  const hasNoSelector = !prober.draft.features.selector && !prober.draft.unknown.includes('features.selector')
  if (hasNoSelector) prober.draft.subscription.parameters.selector = null
  return probeOf(prober, unseen, true)
}

async function alternatives(prober: Prober): Promise<void> {
  await prober.together([() => look(prober, 'one-at-a-time'), () => look(prober, 'batch')])
  await look(prober, 'ack-in-post')
}

/** What only who may subscribe can see, or what else may be seen with the credentials for that. */
const SUBSCRIBERS = ['wildcards', 'selector', 'auth', 'one-at-a-time', 'batch', 'ack-in-post'] as const

/** The fields about subscriptions that cannot be asked about before there is one. */
const OF_SUBSCRIPTIONS = [
  'subscription.parameters.prefetch',
  'subscription.parameters.timeout',
  'subscription.leaseSeconds',
  'subscription.renewedBy',
  'subscription.wildcard',
  'subscription.selector',
  'messageUri',
]

/** Whether a field is as where nobody has said anything of it. */
function isUsual(profile: Profile, field: string): boolean {
  const written = (each: Profile) => JSON.stringify(valueAt(each, field.split('.')))
  return written(profile) === written(DEFAULT_PROFILE)
}

/** Leaves open which of these features are there, which could not be looked for without what was not found. */
function leaveOpen({ draft }: Prober, features: readonly Feature[]): void {
  const open = features.filter((feature) => !draft.features[feature])
  draft.unknown.push(...open.map((feature) => `features.${feature}`))
}

function look(prober: Prober, feature: Feature): Promise<void> {
  return prober.findFeature(feature, () => FEATURE_FINDINGS[feature](prober))
}

/** The fields that are not known where an essential was not found. */
const FIELDS: Readonly<Record<Essential, string>> = {
  createQueue: 'createQueue',
  destination: 'subscription.parameters.destination',
  prefetch: 'subscription.parameters.prefetch',
  lease: 'subscription.leaseSeconds',
}

function probeOf(prober: Prober, unseen: Probe['unseen'], useful: boolean): Probe {
  const unknown = (Object.keys(unseen) as Essential[]).map((each) => FIELDS[each])
  const profile = { ...prober.draft, unknown: [...new Set([...prober.draft.unknown, ...unknown])] }
  return { profile, notes: prober.notes, unseen, useful }
}
