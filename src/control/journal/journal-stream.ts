import type { Reply, Request } from '../../http/exchange.js'
import { Problem } from '../../http/problems.js'
import { toUtf8 } from '../../platform/bytes.js'
import { nextTurn } from '../../platform/next-turn.js'
import type { Control } from '../control.js'
import type { BusEvent } from '../event-bus.js'
import { uncached } from '../input/json.js'
import { readQuery } from '../input/query.js'
import { writeInPieces } from '../input/streamed.js'

/** How many may watch at once: each event is written to each of them in one turn of the event loop. */
const MOST_WATCHERS = 100

/**
 * `GET /_control/journal/stream`: what happens, as it happens, as Server-Sent Events. The events are `exchange` (a
 * journal entry, whose number is the event's id), `clear`, `clock`, `faults`, `state` and `reset`; the data are JSON. It begins
 * with what is in the journal behind `Last-Event-ID`, or behind `?after=`, and otherwise with what comes next.
 */
export function journalStream(control: Control, request: Request): Reply {
  const { journal, events, scheduler } = control
  journal.checkRecording()
  const after = behind(request) ?? journal.last
  if (events.size >= MOST_WATCHERS) {
    throw new Problem('too-many-requests', `${MOST_WATCHERS} watch already; end one of them first.`, {
      limit: MOST_WATCHERS,
    })
  }
  return {
    status: 200,
    headers: uncached('text/event-stream'),
    stream: (out) => {
      // Numbers that are not there yet are from before a reset.
      let last = after > journal.last ? 0 : after
      let catchingUp = true
      function* remembered(): Generator<string> {
        for (let next = journal.next(last); next !== undefined; next = journal.next(last)) {
          last = next.number
          yield told('exchange', next, last)
        }
      }
      out.write(': what happens at this server\n\n')
      const stops = [
        writeInPieces(out, remembered(), scheduler, () => {
          catchingUp = false
        }),
        events.watch(
          (event, data, number) => {
            if (event === 'reset') last = 0
            if (number !== undefined) {
              if (catchingUp) return
              last = number
            }
            out.write(toldToAll(event, data, number))
          },
          () => out.end(),
        ),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

/** The event that was told last: those who watch are told the same bytes, which take memory once. */
let latest: { readonly data: object; readonly bytes: Uint8Array } | undefined

function toldToAll(event: BusEvent, data: object, number: number | undefined): Uint8Array {
  if (latest?.data !== data) {
    latest = { data, bytes: toUtf8(told(event, data, number)) }
    nextTurn(() => {
      latest = undefined
    })
  }
  return latest.bytes
}

function told(event: BusEvent, data: object, number: number | undefined): string {
  const id = number === undefined ? '' : `id: ${number}\n`
  return `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`
}

function behind({ headers, query }: Request): number | undefined {
  const { after } = readQuery(query, { after: 'count' })
  const last = headers['last-event-id']
  if (typeof last === 'string' && /^\d{1,15}$/.test(last)) return Number(last)
  return after as number | undefined
}
