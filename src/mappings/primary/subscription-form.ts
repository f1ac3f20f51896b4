import type { SubscribeRequest } from '../../broker/broker.js'
import type { Request } from '../../http/exchange.js'
import { parseForm } from '../../http/form.js'
import { isMediaType } from '../../http/media.js'
import { Problem } from '../../http/problems.js'

const FORM = 'application/x-www-form-urlencoded'

/**
 * The data of a subscription (section 2) as form fields; their names are `chosen`: `destination`, once or more,
 * `prefetch`, `selector`, and `timeout` in seconds, with decimals.
 *
 * @throws Problem `unsupported-media-type`, `malformed-request`, `bad-percent-encoding`
 */
export function subscriptionForm({ headers, body }: Request): SubscribeRequest {
  if (!isMediaType(headers['content-type'], FORM)) {
    throw new Problem(
      'unsupported-media-type',
      `A subscription is made with a form, ${FORM}.`,
      {},
      { 'Accept-Post': FORM },
    )
  }
  const destinations: string[] = []
  const single = new Map<string, string>()
  for (const [name, value] of parseForm(body)) {
    if (name === 'destination') destinations.push(value)
    else if (name !== 'prefetch' && name !== 'selector' && name !== 'timeout') {
      throw new Problem(
        'malformed-request',
        `A subscription has no field ${JSON.stringify(name)}; it has destination, prefetch, selector and timeout.`,
        { parameter: name },
      )
    } else if (single.has(name)) {
      throw new Problem('malformed-request', `The field ${name} is given twice.`, { parameter: name })
    } else single.set(name, value)
  }
  if (destinations.length === 0) {
    throw new Problem('malformed-request', 'The field destination is missing: name a queue or a wildcard.', {
      parameter: 'destination',
    })
  }
  return {
    destinations,
    prefetch: numberOf('prefetch', single.get('prefetch'), /^\d{1,9}$/),
    timeout: millisecondsOf(single.get('timeout')),
    selector: single.get('selector'),
  }
}

/**
 * Reads `timeout`: seconds, with decimals, as milliseconds.
 *
 * @throws Problem `malformed-request`
 */
export function millisecondsOf(seconds: string | undefined): number | undefined {
  const value = numberOf('timeout', seconds, /^\d{1,9}(\.\d{1,9})?$/)
  return value === undefined ? undefined : Math.round(value * 1000)
}

function numberOf(parameter: string, text: string | undefined, shape: RegExp): number | undefined {
  if (text === undefined) return undefined
  if (shape.test(text)) return Number(text)
  throw new Problem(
    'malformed-request',
    `The field ${parameter} takes a number, not ${JSON.stringify(text)}.`,
    {
      parameter,
    },
  )
}
