import { clauses } from './clause.js'

/** The mapping of a single path. */
export const SINGLE_PATH = [
  ...clauses('4.2', 'stated', {
    'single-path.rejected': {
      text: 'The mapping was rejected, since its GET is not idempotent and a caching proxy may repeat one message.',
      unchecked: 'It gives a reason, and asks nothing of a server.',
    },
  }),
  ...clauses('4.2', 'optional', 'single-path', {
    'single-path.send': 'A POST of a message to `/queue/<destination>` sends it.',
    'single-path.consume': 'A GET of `/queue/<destination>` gives a message of that destination.',
    'single-path.another': 'Each GET gives another message.',
    'single-path.exactly-one': 'GETs at the same time share no message.',
    'single-path.session': 'A GET may carry a parameter that identifies a session.',
  }),
  ...clauses('4.2', 'chosen', 'single-path', {
    'single-path.status': 'A send by the single path is answered with 200.',
    'single-path.raw': 'A GET by the single path answers 200 with the raw message.',
    'single-path.taken': 'A message that a GET without a session has taken is gone for good.',
    'single-path.empty': 'A GET by the single path is answered with 204 when there is no message.',
    'single-path.no-store': 'Every answer to a GET by the single path bears `Cache-Control: no-store`.',
    'single-path.session.acknowledges':
      'A GET with `jsessionId` acknowledges the message that the session was handed before.',
    'single-path.session.lost':
      'The message of a session that falls silent for a lease goes to another consumer.',
    'single-path.wait':
      'A GET by the single path with `Prefer: wait` waits for a message as a GET of a feed does.',
    'single-path.unknown': 'A destination without a queue is refused with 404.',
  }),
]
