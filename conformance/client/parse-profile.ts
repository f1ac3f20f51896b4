import { FEATURES, type Feature, type Profile } from './profile.js'
import {
  characterClass,
  count,
  type Field,
  field,
  flag,
  headers,
  listOf,
  matching,
  oneOf,
  orNull,
  ProfileError,
  type Reader,
  seconds,
  shape,
  text,
  texts,
  word,
} from './profile-fields.js'

// What the primary mapping offers is claimed unless a profile says otherwise; what stands beside it is not.
const UNCLAIMED: readonly Feature[] = ['single-path', 'one-at-a-time', 'batch', 'ack-in-post', 'auth']

// No feature is relied on of which nobody knows whether it is there.
const features = shape<Record<Feature, boolean>>(
  Object.fromEntries(
    FEATURES.map((feature) => [feature, field(flag, !UNCLAIMED.includes(feature), false)]),
  ) as Record<Feature, Field<boolean>>,
)
const noFeatures = features(Object.fromEntries(FEATURES.map((feature) => [feature, false])), '')

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

const queueNames = shape<Profile['queueNames']>({
  form: field(oneOf('path', 'dotted'), 'path'),
  characters: field(orNull(characterClass), null),
  maxLength: field(orNull(count), null),
  maxSegments: field(orNull(count), null),
  prefix: field(text, ''),
})

const message = shape<Profile['message']>({
  headers: field(headers, { 'Content-Type': 'text/plain; charset=utf-8' }),
  body: field(matching(/\{text\}/, 'a body that holds {text}'), '{text}'),
  arrives: field(oneOf('same', 'contains'), 'same'),
  maxBytes: field(orNull(count), null),
})

const guid = shape<Profile['guid']>({
  form: field(oneOf('text', 'uuid'), 'text'),
  maxLength: field(orNull(count), null),
})

const parameters = shape<Profile['subscription']['parameters']>({
  destination: field(word, 'destination'),
  prefetch: field(orNull(word), 'prefetch', null),
  selector: field(orNull(word), 'selector'),
  timeout: field(orNull(word), 'timeout'),
})

const selector = shape<Profile['subscription']['selector']>({
  expression: field(word, "colour = 'red'"),
  matching: field(headers, { 'Property-Colour': 'red' }),
  other: field(headers, { 'Property-Colour': 'blue' }),
})

const subscription = shape<Profile['subscription']>({
  headers: field(headers, FORM),
  parameters: nested(parameters),
  separator: field(orNull(word), null),
  destination: field(
    matching(/\{(?:path|dotted|address)\}/, 'a text that holds {path}, {dotted} or {address}'),
    '{path}',
  ),
  fixed: field(texts, {}),
  timeoutFormat: field(
    matching(/^[^{}]*\{(?:s|ms|min)\}[^{}]*$/, 'a text that holds {s}, {ms} or {min}'),
    '{s}',
  ),
  leaseSeconds: field(seconds(false), 2),
  maxLeaseSeconds: field(seconds(false), 120),
  maxPrefetch: field(count, 10),
  renewedBy: field(listOf(oneOf('read', 'ack')), ['read'], []),
  wildcard: field(
    matching(/\{(?:prefix|dottedPrefix)\}/, 'a destination that holds {prefix} or {dottedPrefix}'),
    '{prefix}/*',
  ),
  selector: nested(selector),
})

const advance = shape<NonNullable<Profile['clock']>['advance']>({
  method: field(matching(/^[A-Z]+$/, 'a method, as in POST'), 'POST'),
  path: field(matching(/^\//, 'a path below the base URL, as in /_control/clock'), '/_control/clock'),
  body: field(matching(/\{ms\}/, 'a body that holds {ms}'), '{"advance":{ms}}'),
  headers: field(headers, { 'Content-Type': 'application/json' }),
})

const profile = shape<Omit<Required<Profile>, 'unknown'>>({
  name: field(text, ''),
  features: field(features, features({}, ''), noFeatures),
  headers: field(headers, {}),
  unauthorized: field(listOf(headers), [{}]),
  createQueue: nested(
    shape<Profile['createQueue']>({
      headers: field(headers, { 'Content-Type': 'text/plain' }),
      body: field(text, '{name}'),
    }),
  ),
  queueNames: nested(queueNames),
  message: nested(message),
  guid: nested(guid),
  subscription: nested(subscription),
  messageUri: field(
    matching(/^(?:link\[rel=[^\]\s]+\]|id|content)$/, 'link[rel=X], id or content'),
    'link[rel=edit]',
  ),
  oneAtATime: nested(
    shape<Profile['oneAtATime']>({
      messageId: field(
        matching(
          /^(?:header:[!#$%&'*+.^_`|~\w-]+|json:.+|location|entry)$/,
          'header:NAME, json:NAME, location or entry',
        ),
        'header:Message-Id',
      ),
    }),
  ),
  settleSeconds: field(seconds(true), 0),
  requestsPerSecond: field(orNull(seconds(false)), null),
  clock: nested(shape<NonNullable<Profile['clock']>>({ advance: nested(advance) })),
})

/**
 * Reads a profile. Every field may be left out: the defaults are the reference's own ways, with the
 * optional parts of the primary mapping claimed, and the alternative mappings and authentication not. A field may be
 * `"unknown"`: it has its default then, and its path is among {@link Profile.unknown}. Of what renews a lease nothing is taken
 * for sure then, no prefetch is asked for in a field that nobody knows, and no feature is relied on of which nobody knows
 * whether it is there.
 *
 * @param value the profile as JSON gives it
 * @throws {ProfileError} one sentence, for an unknown field, a wrong type or a bad value
 *
 * @example
 * ```ts
 * const profile = parseProfile({ name: 'mine', features: { guid: false } })
 * profile.features.guid    // false
 * ```
 */
export function parseProfile(value: unknown): Profile {
  const unknown: string[] = []
  const { clock, ...rest } = profile(value, '', unknown)
  // Unlike other fields, a clock left out is none at all.
  const given = (value as { clock?: unknown }).clock
  const read: Profile = { ...rest, unknown, ...(given === undefined || given === 'unknown' ? {} : { clock }) }
  if (read.features.selector && read.subscription.parameters.selector === null) {
    throw new ProfileError('features.selector is true, but subscription.parameters.selector is null.')
  }
  if (read.features.auth && read.unauthorized.length === 0) {
    throw new ProfileError('features.auth is true, but unauthorized names no party without permission.')
  }
  return dottedDefaults(read, value)
}

// Where names have dots, destinations do as well, unless the profile says how they are written.
function dottedDefaults(read: Profile, value: unknown): Profile {
  if (read.queueNames.form === 'path') return read
  const given = (value as { subscription?: { destination?: unknown; wildcard?: unknown } }).subscription ?? {}
  const subscription = {
    ...read.subscription,
    ...(given.destination === undefined ? { destination: '{dotted}' } : {}),
    ...(given.wildcard === undefined ? { wildcard: '{dottedPrefix}.*' } : {}),
  }
  return { ...read, subscription }
}

/**
 * The profile of a target that nothing was said about.
 *
 * @example
 * ```ts
 * const profile: Profile = { ...DEFAULT_PROFILE, name: 'mine' }
 * ```
 */
export const DEFAULT_PROFILE: Profile = parseProfile({})

function nested<T>(read: Reader<T>): Field<T> {
  return field(read, read({}, ''))
}
