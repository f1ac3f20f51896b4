import type { Clause } from './clause.js'

/** Section 7: how a server says no, which the document leaves open. */
export const ERRORS = [
  {
    id: 'errors.open',
    section: '7',
    grade: 'stated',
    text: 'Error statuses, error payloads and the conditions that cause them are left open.',
    unchecked: 'Nothing is asked of a server; its refusals are observed.',
  },
  {
    id: 'http.problem',
    section: '7',
    grade: 'chosen',
    text: 'A refusal is a problem document of RFC 9457, with a stable type, its status and a sentence that says what to do.',
  },
  {
    id: 'http.refused-changes-nothing',
    section: '7',
    grade: 'chosen',
    text: 'A request that is refused has changed nothing.',
  },
  {
    id: 'http.not-found',
    section: '7',
    grade: 'chosen',
    text: 'A path that is not part of the interface is answered with 404.',
  },
  {
    id: 'http.method',
    section: '7',
    grade: 'chosen',
    text: 'A method that a resource does not have is refused with 405, and `Allow` lists those it has.',
  },
  {
    id: 'http.options',
    section: '7',
    grade: 'chosen',
    text: 'OPTIONS on a resource lists its methods in `Allow`.',
  },
  {
    id: 'http.head',
    section: '7',
    grade: 'chosen',
    text: 'HEAD answers as GET does, without the body, wherever GET does.',
  },
  {
    id: 'http.not-acceptable',
    section: '7',
    grade: 'chosen',
    text: 'No `Accept` header makes the server refuse a feed.',
  },
  {
    id: 'http.expectation',
    section: '7',
    grade: 'chosen',
    text: 'An expectation that the server does not know is refused with 417.',
  },
  {
    id: 'http.unknown-method',
    section: '7',
    grade: 'chosen',
    text: 'A method that no resource has is refused with 405 or 501.',
  },
  {
    id: 'http.malformed',
    section: '7',
    grade: 'chosen',
    text: 'No input, however malformed, is answered with a 5xx other than 501, 503 or 507.',
  },
  {
    id: 'http.survives',
    section: '7',
    grade: 'chosen',
    text: 'A server that was sent malformed input goes on serving.',
  },
  {
    id: 'http.host',
    section: '7',
    grade: 'chosen',
    text: 'A request for a host that the server is not known by is refused with 421.',
  },
  {
    id: 'http.service-document',
    section: '7',
    grade: 'chosen',
    text: 'A GET of the base URL is answered with an AtomPub service document that names the collections of queues and of subscriptions.',
  },
  {
    id: 'http.links',
    section: '7',
    grade: 'chosen',
    text: 'Links and `Location` are absolute paths under the base path, and take nothing from the `Host` header.',
  },
] as const satisfies readonly Clause[]
