import type { SubscribeRequest } from '../../broker/broker.js'
import { type BrokerLimits, checkDestinations } from '../../broker/limits.js'
import type { Request } from '../../http/exchange.js'
import { parseForm } from '../../http/form.js'
import { badParameter, checkMediaType, millisecondsOf, numberOf } from '../asking.js'

const FORM = 'application/x-www-form-urlencoded'

/**
 * The data of a subscription (section 2) as form fields; their names are `chosen`: `destination`, once or more,
 * `prefetch`, `selector`, and `timeout` in seconds, with decimals.
 *
 * @param maxDestinations where there are more, the rest of the form is not read
 * @throws Problem `unsupported-media-type`, `malformed-request`, `bad-percent-encoding`
 * @throws Refusal `bad-parameter` for too many destinations
 */
// clause: subscribe.form
// clause: subscribe.parameters subscribe.field.unknown subscribe.field.destination subscribe.media-type
// clause: subscribe.destinations.limit subscribe.names
export function subscriptionForm(request: Request, limits: Readonly<BrokerLimits>): SubscribeRequest {
  checkMediaType(request, FORM, `A subscription is made with a form, ${FORM}.`)
  const destinations: string[] = []
  const single = new Map<string, string>()
  for (const [name, value] of parseForm(request.body)) {
    if (name === 'destination') {
      checkDestinations(destinations.push(value), limits)
    } else if (name !== 'prefetch' && name !== 'selector' && name !== 'timeout') {
      throw badParameter(
        name,
        `A subscription has no field ${JSON.stringify(name)}; it has destination, prefetch, selector and timeout.`,
      )
    } else if (single.has(name)) {
      throw badParameter(name, `The field ${name} is given twice.`)
    } else single.set(name, value)
  }
  if (destinations.length === 0) {
    throw badParameter('destination', 'The field destination is missing: name a queue or a wildcard.')
  }
  return {
    destinations,
    prefetch: numberOf('prefetch', single.get('prefetch'), /^\d{1,9}$/),
    timeout: millisecondsOf(single.get('timeout')),
    selector: single.get('selector'),
  }
}
