import type { Exchange } from '../client/exchange.js'
import { DEFAULT_PROFILE } from '../client/parse-profile.js'
import type { Profile } from '../client/profile.js'
import type { Trial } from './trial.js'

/** An answer as a target may give it. */
export function answerOf(
  body: string | Buffer,
  headers: Record<string, string> = {},
  { status = 200, url = 'http://target.test/mq/lockNextMessage/anna?max=9' } = {},
): Exchange {
  return {
    method: 'POST',
    url,
    requestHeaders: {},
    requestBody: Buffer.alloc(0),
    status,
    headers,
    body: Buffer.from(body as Uint8Array),
    error: undefined,
    sentAt: 0,
    receivedAt: 1,
  }
}

/** As much of a trial as the readers of answers need; `pages` are what GETs give, by address, and 404 beside. */
export function readingTrial(
  pages: Readonly<Record<string, Exchange>> = {},
  profile: Partial<Profile> = {},
): Trial {
  const target = {
    baseUrl: 'http://target.test/mq',
    exchanges: [],
    request: async (_: string, url: string) => pages[url] ?? answerOf('', {}, { status: 404, url }),
    location: ({ headers, url }: Exchange) =>
      headers.location === undefined ? undefined : new URL(headers.location, url).href,
  }
  return { profile: { ...DEFAULT_PROFILE, ...profile }, target } as unknown as Trial
}
