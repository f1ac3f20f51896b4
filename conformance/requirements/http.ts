import { clauses } from './clause.js'

/** What holds of every request and answer. */
export const HTTP = [
  ...clauses('4.1', 'stated', {
    'http.base-url': {
      text: 'All paths are relative to the base URL.',
      unchecked: 'Every check relies on it, so that none could prove it alone.',
    },
    'http.delete-bodies': {
      text: 'What a successful DELETE answers in its body is left to the server.',
      unchecked: 'Nothing is asked of a server, so every body is right.',
    },
  }),
  ...clauses('7', 'chosen', {
    'http.problem':
      'A refusal is a problem document of RFC 9457, with a stable type, its status and a sentence that says what to do.',
    'http.refused-changes-nothing': 'A request that is refused has changed nothing.',
    'http.not-found': 'A path that is not part of the interface is answered with 404.',
    'http.method':
      'A method that a resource does not have is refused with 405, and `Allow` lists those it has.',
    'http.options': 'OPTIONS on a resource lists its methods in `Allow`.',
    'http.head': 'HEAD answers as GET does, without the body, wherever GET does.',
    'http.preconditions':
      'A request with a precondition of RFC 9110 that does not hold is refused with 412, and nothing of it is done.',
    'http.not-acceptable': 'No `Accept` header makes the server refuse a feed.',
    'http.expectation': 'An expectation that the server does not know is refused with 417.',
    'http.unknown-method':
      'A method that no resource has is refused with 405, or with 501 where the server does not know it.',
    'http.malformed': 'No input, however malformed, is answered with a 5xx other than 501, 503 or 507.',
    'http.survives': 'A server that was sent malformed input goes on serving.',
    'http.host': 'A request for a host that the server is not known by is refused with 421.',
    'http.service-document':
      'A GET of the base URL is answered with an AtomPub service document that names the collections of queues and of subscriptions.',
    'http.links':
      'Links and `Location` are absolute paths under the base path, and take nothing from the `Host` header.',
  }),
  ...clauses('8', 'chosen', {
    'http.limit.message': 'A message has at most 1 MiB; a larger one is refused with 413.',
    'http.limit.target': 'A request target above 8 KiB is refused with 414.',
    'http.limit.headers': 'A request whose headers are too large is refused with 431.',
    'http.limit.slow': {
      text: 'Headers that take more than 10 seconds, or a request that takes more than 30, end the connection.',
      unchecked: 'An outsider would have to be slow for half a minute in every run.',
    },
  }),
  ...clauses('9', 'chosen', {
    'http.generator': "The service document names the program that made it and the program's version.",
  }),
]
