const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * Whether a text is a `date-time` of RFC 3339, in the stricter form that RFC 4287 section 3.3 asks for: `T` and `Z`
 * in upper case, a time zone, nothing around it. The 60th second is one: some minutes are that long.
 */
export function isRfc3339(text: string): boolean {
  const parts = DATE_TIME.exec(text)
  if (!parts) return false
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return false
  // Day 0 of the next month is the last day of this one; setUTCFullYear, since Date.UTC takes year 50 for 1950.
  const last = new Date(0)
  last.setUTCFullYear(year, month, 0)
  return day >= 1 && day <= last.getUTCDate()
}
