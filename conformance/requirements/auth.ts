import { clauses } from './clause.js'

/** Who may read and acknowledge. */
export const AUTH = [
  ...clauses('5', 'stated', 'auth', {
    'auth.feed.anonymous':
      'A party without credentials cannot read the feed of a subscription that is not open to it.',
    'auth.feed.other':
      'A party with the credentials of somebody else cannot read the feed of a subscription that is not open to it.',
    'auth.feed.owner': 'A party with sufficient permission can read the feed.',
    'auth.content':
      'A party that may not read a feed cannot read the content of its messages where the feed links to it.',
    'auth.pages': 'A party that may not read a feed cannot read its further pages, by GET or by HEAD.',
  }),
  ...clauses('5', 'stated', {
    'auth.mechanism': {
      text: 'The mechanism, the credentials and the names of their headers are left open.',
      unchecked: "Nothing is asked of a server; a target's profile tells the headers to send.",
    },
  }),
  ...clauses('5', 'chosen', 'auth', {
    'auth.message': 'A party that may not read a feed cannot read its messages by their message URIs.',
    'auth.shared-cache':
      "The answer with a consumer's feed does not allow a shared cache to give it to other parties.",
    'auth.ack': 'A party that may not read a feed can acknowledge none of its messages.',
    'auth.delete': 'A party that may not read a feed cannot delete its subscription.',
    'auth.no-lease': 'A reader who is turned away neither renews a lease nor receives a message.',
    'auth.challenge': 'A request without valid credentials is refused with 401 and `WWW-Authenticate`.',
    'auth.forbidden': 'A request whose credentials do not suffice is refused with 403.',
    'auth.schemes': {
      text: 'Credentials are a Bearer token, or Basic with the name and the token.',
      unchecked: "The kit is told whole headers, and cannot make one scheme's header from the other's.",
    },
    'auth.roles': {
      text: 'A principal needs the role `produce` to send, `consume` to consume and `admin` to delete queues or look at everything.',
      unchecked: 'The kit is not told which roles the parties of a profile have.',
    },
    'auth.tokens': {
      text: 'Tokens are compared in constant time and never logged.',
      unchecked: 'Neither shows over HTTP with any certainty.',
    },
  }),
  ...clauses('5', 'chosen', {
    'auth.unguessable':
      "A subscription's URI carries 128 random bits, so that on an open server knowing it is permission.",
  }),
]
