import { FEATURES, type Feature, type Profile } from './profile.js'
import {
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

const featureFields = Object.fromEntries(
  FEATURES.map((feature) => [feature, field(flag, !UNCLAIMED.includes(feature))]),
) as Record<Feature, Field<boolean>>

const parameters = shape<Profile['subscription']['parameters']>({
  destination: field(word, 'destination'),
  prefetch: field(word, 'prefetch'),
  selector: field(orNull(word), 'selector'),
  timeout: field(orNull(word), 'timeout'),
})

const selector = shape<Profile['subscription']['selector']>({
  expression: field(word, "colour = 'red'"),
  matching: field(headers, { 'Property-Colour': 'red' }),
  other: field(headers, { 'Property-Colour': 'blue' }),
})

const wildcard = matching(/\{prefix\}/, 'a destination that holds {prefix}')

const subscription = shape<Profile['subscription']>({
  parameters: nested(parameters),
  fixed: field(texts, {}),
  timeoutUnit: field(oneOf('s', 'ms', 'min'), 's'),
  leaseSeconds: field(seconds(false), 2),
  renewedBy: field(listOf(oneOf('read', 'ack')), ['read']),
  wildcard: field(wildcard, '{prefix}/*'),
  selector: nested(selector),
})

const advance = shape<NonNullable<Profile['clock']>['advance']>({
  method: field(matching(/^[A-Z]+$/, 'a method, as in POST'), 'POST'),
  path: field(matching(/^\//, 'a path below the base URL, as in /_control/clock'), '/_control/clock'),
  body: field(matching(/\{ms\}/, 'a body that holds {ms}'), '{"advance":{ms}}'),
  headers: field(headers, { 'Content-Type': 'application/json' }),
})

const profile = shape<Required<Profile>>({
  name: field(text, ''),
  features: nested(shape<Record<Feature, boolean>>(featureFields)),
  headers: field(headers, {}),
  unauthorized: field(listOf(headers), [{}]),
  createQueue: nested(
    shape<Profile['createQueue']>({
      headers: field(headers, { 'Content-Type': 'text/plain' }),
      body: field(text, '{name}'),
    }),
  ),
  subscription: nested(subscription),
  messageUri: field(
    matching(/^(?:link\[rel=[^\]\s]+\]|id|content)$/, 'link[rel=X], id or content'),
    'link[rel=edit]',
  ),
  oneAtATime: nested(
    shape<Profile['oneAtATime']>({
      messageId: field(
        matching(/^(?:header:[!#$%&'*+.^_`|~\w-]+|location|entry)$/, 'header:NAME, location or entry'),
        'header:Message-Id',
      ),
    }),
  ),
  settleSeconds: field(seconds(true), 0),
  clock: nested(shape<NonNullable<Profile['clock']>>({ advance: nested(advance) })),
})

/**
 * Reads a profile. Every field may be left out: the defaults are the reference's own ways, with the
 * optional parts of the primary mapping claimed, and the alternative mappings and authentication not.
 *
 * @param value the profile as JSON gives it
 * @throws {ProfileError} one sentence, for an unknown field, a wrong type or a bad value
 */
export function parseProfile(value: unknown): Profile {
  const { clock, ...rest } = profile(value, '')
  // Unlike other fields, a clock left out is none at all.
  const read: Profile = (value as { clock?: unknown }).clock === undefined ? rest : { ...rest, clock }
  if (read.features.selector && read.subscription.parameters.selector === null) {
    throw new ProfileError('features.selector is true, but subscription.parameters.selector is null.')
  }
  if (read.features.auth && read.unauthorized.length === 0) {
    throw new ProfileError('features.auth is true, but unauthorized names no party without permission.')
  }
  return read
}

/** The profile of a target that nothing was said about. */
export const DEFAULT_PROFILE: Profile = parseProfile({})

function nested<T>(read: Reader<T>): Field<T> {
  return field(read, read({}, ''))
}
