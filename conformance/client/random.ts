/** Ten hexadecimal digits, by which a name is nobody else's. */
export function randomDigits(): string {
  return [...crypto.getRandomValues(new Uint8Array(5))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
