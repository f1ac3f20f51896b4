import { answered } from '../client/answered.js'
import type { Entry } from '../client/feed.js'
import type { Sent, Trial } from './trial.js'

/** Expects the enclosure link of an entry to lead to the body of its message, with the headers that it was sent with. */
export async function expectRaw(
  trial: Trial,
  { links }: Entry,
  { body }: Sent,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const link = links.find(({ rel }) => rel === 'enclosure')
  trial.choose('raw-body', link ? 'linked by enclosure' : 'not linked by enclosure')
  trial.expect(link !== undefined, 'a link of rel="enclosure"', 'none')
  const answer = await trial.target.request('GET', link.href)
  trial.expect(answer.status === 200, '200', answered(answer))
  trial.expect(answer.body.equals(body), 'the bytes as sent', () =>
    answer.body.toString('latin1').slice(0, 200),
  )
  for (const [name, value] of Object.entries(headers)) {
    const seen = answer.headers[name.toLowerCase()]
    trial.expect(seen === value, `${name}: ${value}`, `${name}: ${seen ?? 'none'}`)
  }
}
