import type { Clause } from './clause.js'

/** Section 4.1: what makes a feed an Atom feed (RFC 4287), and what its entries hold. */
export const ATOM = [
  {
    id: 'browse.atom.media-type',
    section: '4.1',
    grade: 'stated',
    text: 'A feed is served as `application/atom+xml`.',
  },
  {
    id: 'browse.atom.well-formed',
    section: '4.1',
    grade: 'stated',
    text: 'A feed is well-formed XML with the root element `feed` of the Atom namespace.',
  },
  {
    id: 'browse.atom.feed',
    section: '4.1',
    grade: 'stated',
    text: 'A feed has exactly one `id`, one `title` and one `updated`.',
  },
  {
    id: 'browse.atom.entry',
    section: '4.1',
    grade: 'stated',
    text: 'An entry has exactly one `id`, one `title` and one `updated`.',
  },
  {
    id: 'browse.atom.author',
    section: '4.1',
    grade: 'stated',
    text: 'A feed has an author, unless each of its entries has one.',
  },
  {
    id: 'browse.atom.dates',
    section: '4.1',
    grade: 'stated',
    text: 'Each date in a feed is a date and time of RFC 3339.',
  },
  {
    id: 'browse.atom.id-iri',
    section: '4.1',
    grade: 'stated',
    text: 'Each `id` in a feed is an absolute IRI.',
  },
  {
    id: 'browse.atom.ids-unique',
    section: '4.1',
    grade: 'stated',
    text: 'No two entries of one feed have the same `id`.',
  },
  {
    id: 'browse.atom.ids-stable',
    section: '4.1',
    grade: 'stated',
    text: 'A feed and its entries keep their ids from one reading to the next.',
  },
  {
    id: 'browse.atom.content',
    section: '4.1',
    grade: 'stated',
    text: 'An entry has at most one `content`, encoded as its type demands, and an alternate link where it has none.',
  },
  {
    id: 'browse.atom.summary',
    section: '4.1',
    grade: 'stated',
    text: 'An entry whose content is out of line or in Base64 has a summary.',
  },
  {
    id: 'browse.atom.links',
    section: '4.1',
    grade: 'stated',
    text: 'Neither a feed nor an entry has two alternate links of the same type and language.',
  },
  {
    id: 'browse.atom.escaping',
    section: '4.1',
    grade: 'stated',
    text: 'Names and bodies with markup characters or characters beyond ASCII come through a feed unchanged.',
  },
  {
    id: 'browse.atom.parameters',
    section: '4.1',
    grade: 'chosen',
    text: 'The media type of a feed has the parameter `type=feed`, that of an entry `type=entry`, and both `charset=utf-8`.',
  },
  {
    id: 'browse.content.text',
    section: '4.1',
    grade: 'chosen',
    text: 'A body of `text/*` that is UTF-8 and legal in XML is inline text in its entry.',
  },
  {
    id: 'browse.content.base64',
    section: '4.1',
    grade: 'chosen',
    text: 'A body that is not text stands in its entry as Base64, up to 64 KiB.',
  },
  {
    id: 'browse.content.large',
    section: '4.1',
    grade: 'chosen',
    text: 'A body that is not text and above 64 KiB is linked by `content src`.',
  },
  {
    id: 'browse.content.linked',
    section: '4.1',
    grade: 'chosen',
    text: 'A body of an XML type, in another charset, or of text that is illegal in XML is linked by `content src`.',
  },
  {
    id: 'browse.entry.dates',
    section: '4.1',
    grade: 'chosen',
    text: "A message's entry tells by `published` when the message was sent.",
  },
  {
    id: 'browse.caching',
    section: '4.1',
    grade: 'chosen',
    text: 'A feed carries an `ETag` and `Cache-Control: private, no-cache`.',
  },
  {
    id: 'browse.conditional',
    section: '4.1',
    grade: 'chosen',
    text: 'A GET of a feed with the current `ETag` in `If-None-Match` is answered with 304 and no body.',
  },
] as const satisfies readonly Clause[]
