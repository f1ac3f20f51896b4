/** The longest host that is read, in characters: no name of the DNS is longer. */
export const LONGEST_HOST = 255

/**
 * Says whether a request for this authority is meant for this server. A page
 * in a browser can have any name resolve to a loopback address; the check keeps
 * such pages from speaking to a broker on their reader's machine. All chosen.
 *
 * @param bound the host that the server listens on
 * @param allowed further names, without ports
 * @returns undefined when the text is not an authority
 */
export function createHostCheck(
  bound: string,
  allowed: readonly string[],
): (authority: string) => boolean | undefined {
  const names = new Set(['localhost', '[::1]', hostName(bound), ...allowed.map(hostName)])
  /** A client names the same host every time. */
  let last: string | undefined
  return (authority) => {
    if (authority === last) return true
    if (authority.length > LONGEST_HOST + ':65535'.length) return undefined
    const host = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i.exec(authority)?.[1]
    if (host === undefined) return undefined
    const name = hostName(host)
    const own = names.has(name) || name.endsWith('.localhost') || /^127(?:\.\d{1,3}){3}$/.test(name)
    if (own) last = authority
    return own
  }
}

/** Lower case, without the root's dot; an IPv6 address in brackets. */
function hostName(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '')
  return name.includes(':') && !name.startsWith('[') ? `[${name}]` : name
}
