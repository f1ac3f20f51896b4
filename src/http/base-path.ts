/**
 * The prefix of every path of the interface (section 2, `{base_url}`), without
 * a trailing slash: `/mq`, or the empty text for none.
 *
 * @throws Error when the text is not a path
 */
export function basePathOf(text: string): string {
  const path = text.replace(/\/+$/, '')
  if (path !== '' && !/^(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9a-fA-F]{2})+)+$/.test(path)) {
    throw new Error(`The base path ${JSON.stringify(text)} is not a path; write it like "/mq".`)
  }
  return path
}
