import { REFUSALS, Refusal, type RefusalKind } from '../broker/refusals.js'
import type { Reply } from './exchange.js'

/**
 * What each refusal of the broker is in HTTP; all of it is chosen, since the
 * interface gives only success statuses (section 7).
 *
 * - 400: the text itself can never be right.
 * - 404: it was never here, or it is forgotten. 410: it was here, and is known to be over.
 * - 422: each line is a message address, but the request as a whole cannot be done.
 * - 429: the client has too much open; it can make room itself by using or deleting what it holds.
 * - 507: the memory for messages is full, which only consumers can change.
 */
const REFUSAL_STATUS: Readonly<Record<RefusalKind, number>> = {
  'bad-queue-name': 400,
  'bad-destination': 400,
  'bad-guid': 400,
  'bad-selector': 400,
  'bad-parameter': 400,
  'bad-cursor': 400,
  'bad-consumer-id': 400,
  'unknown-queue': 404,
  'unknown-path': 404,
  'unknown-address': 404,
  'unknown-subscription': 404,
  'unknown-consumer': 404,
  'unknown-message': 404,
  'address-expired': 410,
  'queue-deleted': 410,
  'subscription-ended': 410,
  'consumer-ended': 410,
  'delivery-released': 410,
  'message-not-held': 422,
  'too-many-subscriptions': 429,
  'too-many-queues': 429,
  'too-many-bindings': 429,
  'too-many-addresses': 429,
  'out-of-memory': 507,
}

/** What the edge itself refuses, before or beside the broker: status and title. All chosen. */
const EDGE_PROBLEMS = {
  'malformed-request': [400, 'The request is malformed.'],
  'bad-percent-encoding': [400, 'The text is not percent-encoded UTF-8.'],
  'unexpected-body': [400, 'This request takes no body.'],
  unauthorized: [401, 'The request does not say who is asking.'],
  forbidden: [403, 'This belongs to somebody else.'],
  'cross-site': [403, 'The request comes from another site.'],
  'no-such-resource': [404, 'There is nothing at this address.'],
  'missing-exchange': [404, 'No such exchange came in time.'],
  'missing-message': [404, 'No such message was there in time.'],
  'method-not-allowed': [405, 'The method is not allowed at this address.'],
  'request-timeout': [408, 'The request did not arrive in time.'],
  'real-time': [409, 'The server runs on real time.'],
  'unexpected-exchange': [409, 'An exchange came that was not to come.'],
  'unexpected-message': [409, 'What became of the messages is not what was expected.'],
  unverified: [409, 'Something is not as it should be at the end of a test.'],
  'nonconformant-client': [409, 'The client broke a rule of the interface.'],
  'precondition-failed': [412, 'A precondition of the request does not hold.'],
  'body-too-large': [413, 'The body is larger than the limit.'],
  'target-too-long': [414, 'The request target is longer than the limit.'],
  'unsupported-media-type': [415, 'The body has a type that is not understood here.'],
  'expectation-failed': [417, 'The expectation cannot be met.'],
  misdirected: [421, 'The host is not one that this server answers for.'],
  'too-many-requests': [429, 'Too many requests wait for their answers.'],
  'header-too-large': [431, 'The header section is larger than the limit.'],
  'internal-error': [500, 'The server has a defect.'],
  'not-implemented': [501, 'The request asks for something that this server does not implement.'],
  overloaded: [503, 'The server has as much under way as it may.'],
  'shutting-down': [503, 'The server is shutting down.'],
  'reset-meanwhile': [503, 'The server was reset while the request waited.'],
} as const satisfies Readonly<Record<string, readonly [number, string]>>

/**
 * Names a way in which the edge refuses a request.
 *
 * @example
 * ```ts
 * const kind: EdgeKind = 'body-too-large'
 * ```
 */
export type EdgeKind = keyof typeof EDGE_PROBLEMS

/**
 * Names a row of the closed table of problems.
 *
 * @example
 * ```ts
 * const kinds: ProblemKind[] = ['unknown-queue', 'method-not-allowed']
 * ```
 */
export type ProblemKind = RefusalKind | EdgeKind

/** One row of the table: the status of the answer, and what it says of every case. */
export interface ProblemRow {
  readonly status: number
  readonly title: string
}

/** Every problem that an answer can bear, from which the documentation is made. */
// clause: errors.open
export const PROBLEMS: ReadonlyMap<ProblemKind, ProblemRow> = new Map<ProblemKind, ProblemRow>([
  ...(Object.keys(REFUSALS) as RefusalKind[]).map(
    (kind) => [kind, { status: REFUSAL_STATUS[kind], title: REFUSALS[kind] }] as const,
  ),
  ...(Object.keys(EDGE_PROBLEMS) as EdgeKind[]).map(
    (kind) => [kind, { status: EDGE_PROBLEMS[kind][0], title: EDGE_PROBLEMS[kind][1] }] as const,
  ),
])

/** Media type of every problem document (RFC 9457). */
const PROBLEM_TYPE = 'application/problem+json'

/**
 * Thrown by whatever reads a request, when the broker is not even asked.
 *
 * @example
 * ```ts
 * try {
 *   mq.endLease('nobody')
 * } catch (error) {
 *   if (error instanceof Problem) error.kind    // 'no-such-resource'
 * }
 * ```
 */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly kind: EdgeKind
  /** Facts of this one case, for programs: plain JSON. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Header fields of the answer that the status asks for, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>

  /** @param detail what was wrong in this one case and what to do, as a sentence for people */
  constructor(
    kind: EdgeKind,
    detail: string,
    facts: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
    this.kind = kind
    this.facts = facts
    this.headers = headers
  }
}

/**
 * The answer that says no: RFC 9457 with the stable type
 * `urn:atom-mq:problem:<kind>`.
 *
 * @param extra facts as further members; they never replace a member of RFC 9457
 */
// clause: http.problem
export function problem(
  kind: ProblemKind,
  detail: string,
  extra: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const { status, title } = PROBLEMS.get(kind)!
  const document = { type: `urn:atom-mq:problem:${kind}`, title, status, detail }
  return {
    status,
    headers: { 'Content-Type': PROBLEM_TYPE, 'Cache-Control': 'no-store', ...headers },
    body: `${JSON.stringify({ ...document, ...extra, ...document })}\n`,
  }
}

/**
 * What a thrown value is as an answer. Anything but a {@link Refusal} or a
 * {@link Problem} is a defect of the server: the answer says nothing of its inside.
 *
 * @param onDefect is told of a defect, so that it is never silent; it is written to the log unless given
 */
// clause: http.survives
export function problemOf(error: unknown, onDefect: (defect: unknown) => void = logDefect): Reply {
  if (error instanceof Refusal) return problem(error.kind, error.message, error.facts)
  if (error instanceof Problem) return problem(error.kind, error.message, error.facts, error.headers)
  onDefect(error)
  return problem('internal-error', 'The server failed at this request; please report it.')
}

function logDefect(defect: unknown): void {
  console.error(defect)
}
