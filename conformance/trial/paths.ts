/** A slash path as part of an address: each segment percent-encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The last segment of an address's path, as it is written there. */
export function lastSegment(uri: string): string {
  return uri
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)!
}
