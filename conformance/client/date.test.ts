import fc from 'fast-check'
import t from 'tap'
import { isRfc3339 } from './feed-problems.js'

t.test('dates of RFC 3339 as Atom asks for them', async (t) => {
  const good = [
    '2003-12-13T18:30:02Z',
    '2003-12-13T18:30:02.25Z',
    '2003-12-13T18:30:02+01:00',
    '2003-12-13T18:30:02.123456789-23:59',
    '2024-02-29T00:00:00Z',
    '0050-01-31T00:00:00Z',
    '1990-12-31T23:59:60Z',
  ]
  for (const date of good) t.ok(isRfc3339(date), date)
  const bad = [
    '',
    '2003-12-13',
    '2003-12-13 18:30:02Z',
    '2003-12-13t18:30:02Z',
    '2003-12-13T18:30:02z',
    '2003-12-13T18:30:02',
    '2003-12-13T18:30Z',
    '2003-12-13T18:30:02.Z',
    '2003-12-13T18:30:02+0100',
    '2003-12-13T18:30:02+24:00',
    '2003-12-13T18:30:02+01:60',
    '2003-13-13T18:30:02Z',
    '2003-00-13T18:30:02Z',
    '2003-12-00T18:30:02Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2003-04-31T00:00:00Z',
    '2003-12-13T24:00:00Z',
    '2003-12-13T18:60:00Z',
    '2003-12-13T18:30:61Z',
    ' 2003-12-13T18:30:02Z',
    '2003-12-13T18:30:02Z\n',
    '12003-12-13T18:30:02Z',
  ]
  for (const date of bad) t.notOk(isRfc3339(date), date)
})

t.test('every ISO string of a date is one', async (t) => {
  const dates = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(fc.property(dates, (date) => isRfc3339(date.toISOString())))
  t.pass()
})
