import type { Reply, Request } from '../../http/exchange.js'
import type { Control } from '../control.js'
import type { BusEvent } from '../event-bus.js'
import { checkQuery, readCount } from '../input/query.js'

/**
 * `GET /_control/journal/stream`: what happens, as it happens, as Server-Sent Events. The events are `exchange` (a
 * journal entry, whose number is the event's id), `clear`, `clock`, `faults` and `reset`; the data are JSON. It begins
 * with what is in the journal behind `Last-Event-ID`, or behind `?after=`, and otherwise with what comes next.
 */
export function journalStream(control: Control, request: Request): Reply {
  const { journal, events } = control
  const after = behind(request) ?? journal.last
  // Before the answer begins, so that a refusal can still be one. Numbers that are not there yet are from before a reset.
  const missed = journal.entries({}, after > journal.last ? 0 : after)
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    stream: (out) => {
      // In one piece: who reads slowly is cut off for what comes too fast, and must not be for what was there.
      out.write(
        [
          ': what happens at this server\n\n',
          ...missed.map((entry) => told('exchange', entry, entry.number)),
        ].join(''),
      )
      const stops = [
        events.watch((event, data, number) => out.write(told(event, data, number))),
        control.whenClosing(() => out.end()),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

function told(event: BusEvent, data: unknown, number: number | undefined): string {
  const id = number === undefined ? '' : `id: ${number}\n`
  return `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`
}

function behind({ headers, query }: Request): number | undefined {
  checkQuery(query, ['after'])
  const last = headers['last-event-id']
  if (typeof last === 'string' && /^\d{1,15}$/.test(last)) return Number(last)
  return readCount(query, 'after')
}
