import type { Clause } from './clause.js'

/** Section 4.1: the language of selectors, which the document leaves open. */
export const SELECTOR = [
  {
    id: 'subscribe.selector.comparison',
    section: '4.1',
    grade: 'chosen',
    text: 'A selector compares with `=`, `<>`, `<`, `<=`, `>` and `>=`.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.between',
    section: '4.1',
    grade: 'chosen',
    text: 'A selector tests a range with `BETWEEN` and `NOT BETWEEN`.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.in',
    section: '4.1',
    grade: 'chosen',
    text: 'A selector tests membership with `IN` and `NOT IN`.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.like',
    section: '4.1',
    grade: 'chosen',
    text: 'A selector matches patterns with `LIKE` and `NOT LIKE`, where `%` and `_` are wild unless an `ESCAPE` character precedes them.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.null',
    section: '4.1',
    grade: 'chosen',
    text: 'A selector tests for a missing property with `IS NULL` and `IS NOT NULL`.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.logic',
    section: '4.1',
    grade: 'chosen',
    text: 'A selector combines conditions with `NOT`, `AND` and `OR`, which bind in this order, and with parentheses.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.arithmetic',
    section: '4.1',
    grade: 'chosen',
    text: 'A selector calculates with `+`, `-`, `*` and `/`.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.unknown',
    section: '4.1',
    grade: 'chosen',
    text: 'A condition on a missing property is unknown, and a message is taken only where the whole selector is true.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.identifiers',
    section: '4.1',
    grade: 'chosen',
    text: 'An identifier of a selector is a property of the message, or one of `queue`, `content_type` and `deliveries`.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.types',
    section: '4.1',
    grade: 'chosen',
    text: 'A property is read as the type of the value it is compared with.',
    feature: 'selector',
  },
  {
    id: 'subscribe.selector.syntax',
    section: '4.1',
    grade: 'chosen',
    text: 'A selector that does not follow the grammar is refused with 400 and the column of the fault.',
    feature: 'selector',
  },
] as const satisfies readonly Clause[]
