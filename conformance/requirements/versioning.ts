import type { Clause } from './clause.js'

/** Section 9: versioning. */
export const VERSIONING = [
  {
    id: 'versioning.open',
    section: '9',
    grade: 'stated',
    text: 'The interface shows no versioning.',
    unchecked: 'It is a remark on the interface, and asks nothing of a server.',
  },
  {
    id: 'http.generator',
    section: '9',
    grade: 'chosen',
    text: "The service document names the program that made it and the program's version.",
  },
] as const satisfies readonly Clause[]
