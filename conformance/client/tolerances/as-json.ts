import type { Exchange } from '../exchange.js'
import type { Target } from '../target.js'

/** Sends the data of a subscription, whose form was refused, as JSON. */
export function subscribeAsJson(
  target: Pick<Target, 'request'>,
  { url, requestBody, requestHeaders }: Exchange,
): Promise<Exchange> {
  const form = new URLSearchParams(requestBody.toString())
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name)
    return [name, values.length > 1 ? values : values[0]] as const
  })
  return target.request('POST', url, {
    headers: { ...requestHeaders, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(fields)),
  })
}
