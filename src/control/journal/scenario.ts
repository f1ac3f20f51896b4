import { withSlashes } from '../../broker/names.js'
import { plainSegment } from '../../http/form.js'
import { listed } from '../client/acts.js'
import { type ExchangeRecord, shownBody } from './exchange-record.js'

/** What a message is known by in requests. */
export interface MessageNames {
  /** Canonical name of its queue. */
  readonly queue: string
  readonly guid: string | null
  /** Id of the address that it was posted to, if any. */
  readonly address: string | undefined
  /** Ids of the deliveries by which consumers hold it. */
  readonly deliveries: readonly string[]
}

/** What a scenario is made from. */
export interface Recorded {
  /** In the order in which they were over. */
  readonly exchanges: readonly ExchangeRecord[]
  /** In the order of their sends. */
  readonly messages: readonly MessageNames[]
  /** Leases that the test ended: when, and behind which exchange. */
  readonly ended: readonly { readonly lease: string; readonly at: number; readonly after: number }[]
  /** Whether time went on only when it was told to. */
  readonly manual: boolean
}

/** What the language takes for the name of a queue; a destination may have `/*` behind it. */
const QUEUE = /^[a-z][\w?[\]|-]*(?:\/[\w?[\]|-]+)*$/

/** How faults say in the language what they do to a connection. */
const CUTS: Readonly<Record<string, string>> = {
  'reset-before': 'cut within: ',
  'reset-after-commit': 'cut after: ',
  truncate: 'cut after: ',
}

/** From so many bytes on the size of a message is told. */
const LARGE = 1024

/**
 * What was asked, in the language of scenarios: each exchange is a step, or a comment where the language has no word for it.
 * Queues and messages that were there without a request are made first.
 */
export function scenarioOf(recorded: Recorded): string {
  return new Writer(recorded).write()
}

class Writer {
  readonly #lines: string[] = []
  /** Until when the steps have come, by the server's clock. */
  #now = 0
  readonly #queues = new Set<string>()
  readonly #consumers = new Map<string, string>()
  /** Names of messages by what requests know them by: `guid 1`, `address …`, `delivery …`. */
  readonly #messages = new Map<string, string>()
  /** Names of those that a step has brought in, with the body that they had. */
  readonly #sent = new Map<string, string>()
  /** Of each queue, the messages that nothing names, the first one last. */
  readonly #unnamed = new Map<string, string[]>()

  constructor(private readonly recorded: Recorded) {
    for (const [index, { guid, address, deliveries }] of recorded.messages.entries()) {
      const name = `m${index + 1}`
      if (guid !== null) this.#messages.set(`guid ${guid}`, name)
      if (address !== undefined) this.#messages.set(`address ${address}`, name)
      for (const delivery of deliveries) this.#messages.set(`delivery ${delivery}`, name)
    }
    for (const [index, { queue, guid, address }] of [...recorded.messages.entries()].reverse()) {
      if (guid !== null || address !== undefined) continue
      if (!this.#unnamed.has(queue)) this.#unnamed.set(queue, [])
      this.#unnamed.get(queue)!.push(`m${index + 1}`)
    }
  }

  write(): string {
    const { exchanges, ended } = this.recorded
    this.#begin()
    this.#now = exchanges[0]?.at ?? 0
    let left = [...ended]
    for (const [index, record] of exchanges.entries()) {
      for (const mark of left) if (mark.after < record.number) this.#end(mark)
      left = left.filter(({ after }) => after >= record.number)
      this.#advance(record.at)
      this.#now = Math.max(this.#now, record.at + record.duration)
      const step = this.#stepOf(record, exchanges[index + 1])
      const cut = record.faults.map(({ fault }) => CUTS[fault]).find((each) => each !== undefined) ?? ''
      if (step === undefined) this.#lines.push(commentOf(record))
      else if (step !== '') this.#lines.push(cut + step)
    }
    for (const mark of left) this.#end(mark)
    return `${this.#lines.join('\n')}\n`
  }

  #advance(at: number): void {
    if (this.recorded.manual && at > this.#now) this.#lines.push(`advance ${timeOf(at - this.#now)}`)
    this.#now = Math.max(this.#now, at)
  }

  /** What no exchange has made: queues, and messages of a seed. */
  #begin(): void {
    const { exchanges, messages } = this.recorded
    const known = new Set(exchanges.map(keyOfSend))
    /** Of each queue, how many messages without a name more there are than were sent by the single path. */
    const seeded = new Map<string, number>()
    const count = (queue: string, by: number) => seeded.set(queue, (seeded.get(queue) ?? 0) + by)
    for (const { queue, guid, address } of messages)
      if (guid === null && address === undefined) count(queue, 1)
    for (const record of exchanges) {
      const queue = singlePathOf(record)
      if (queue !== undefined) count(queue, -1)
    }
    for (const [index, { queue, guid, address }] of messages.entries()) {
      if (known.has(`guid ${guid}`) || known.has(`address ${address}`)) continue
      if (guid === null && address === undefined) {
        // Those of a seed came first.
        if ((seeded.get(queue) ?? 0) <= 0) continue
        count(queue, -1)
      }
      if (this.#queue(queue) === undefined) continue
      this.#lines.push(`send m${index + 1} to ${queue}`)
      this.#sent.set(`m${index + 1}`, '')
    }
  }

  #end({ lease, at }: Recorded['ended'][number]): void {
    const consumer = this.#consumers.get(lease)
    this.#advance(at)
    if (consumer !== undefined) this.#lines.push(`end ${consumer} by expiry`)
  }

  /** The step that an exchange was; undefined where there is no word for it, empty where the step before told it already. */
  #stepOf(record: ExchangeRecord, next: ExchangeRecord | undefined): string | undefined {
    const { method, path } = record
    const segments = path.slice(1).split('/').map(plainSegment)
    const [first = '', second = '', third = '', fourth = ''] = segments
    const rest = segments.slice(1).join('/')
    const behind = segments.slice(2).join('/')
    if (record.faults.some(({ fault }) => fault === 'status')) return undefined
    switch (`${method} ${first}`) {
      case 'GET queues':
        if (parameterOf(record, 'cursor') !== null) return ''
        if (rest === '') return 'list'
        if (!QUEUE.test(withSlashes(rest))) return undefined
        return `${this.#queues.has(withSlashes(rest)) ? 'browse' : 'list'} ${withSlashes(rest)}`
      case 'DELETE queues':
        return named('delete ', this.#queue(rest))
      case 'POST queues':
        return rest === '' ? this.#create(record) : this.#send(record, rest, next)
      case 'POST addresses':
        return this.#post(record, second)
      case 'POST queue':
        return this.#sendOnce(record, rest, ' by single-path')
      case 'GET queue': {
        const session = parameterOf(record, 'jsessionId')
        const queue = this.#queue(rest)
        return named('take ', queue, session === null ? '' : ` as ${this.#consumer(`session:${session}`)}`)
      }
      case 'POST subscriptions':
        return second === '' ? this.#subscribe(record) : this.#acknowledgeAll(record, second)
      case 'GET subscriptions':
        if (third === '') return named('read ', this.#consumers.get(second))
        return this.#about('look', second, fourth)
      case 'DELETE subscriptions':
        return third === '' ? named('end ', this.#consumers.get(second)) : this.#about('ack', second, fourth)
      case 'POST subscribe':
        return named(`join ${this.#consumer(second)} to `, this.#queue(behind))
      case 'POST unsubscribe':
        return named(`leave ${this.#consumer(second)} `, this.#queue(behind))
      case 'POST nextMessageForMe':
        return `next ${this.#consumer(second)}`
      case 'POST lockNextMessage':
        return `lock ${this.#consumer(second)} ${parameterOf(record, 'max') ?? 1}`
      case 'POST ack':
        return this.#about('done', second, third)
      case 'GET message':
        return this.#about('fetch', second, third)
    }
    return method === 'DELETE' && second === 'messages' ? this.#about('done', first, third) : undefined
  }

  #create(record: ExchangeRecord): string | undefined {
    const name = /\/queues\/(.+)$/.exec(locationIn(record))?.[1]
    if (record.response?.status !== 201 || name === undefined) return undefined
    const queue = withSlashes(name.split('/').map(plainSegment).join('/'))
    if (!QUEUE.test(queue)) return undefined
    this.#queues.add(queue)
    return `create ${queue}`
  }

  #send(record: ExchangeRecord, queue: string, next: ExchangeRecord | undefined): string | undefined {
    if (parameterOf(record, 'guid') !== null) return this.#sendOnce(record, queue, ' by guid')
    const address = /\/addresses\/([^/]+)$/.exec(locationIn(record))?.[1]
    const name = this.#messages.get(`address ${address}`)
    const known = this.#queue(queue)
    if (address === undefined || name === undefined || known === undefined) return undefined
    this.#sent.set(name, '')
    // What is done next by the same address, and undisturbed, is one step of the language.
    const whole = next?.path === `/addresses/${address}` && next.faults.length + record.faults.length === 0
    if (!whole) return `address ${name} at ${known}`
    this.#sent.set(name, `two-step ${next.number}`)
    return `send ${name} to ${known}${detailsOf(next)}`
  }

  #post(record: ExchangeRecord, address: string): string | undefined {
    const name = this.#messages.get(`address ${address}`)
    if (name === undefined || !this.#sent.has(name)) return undefined
    const before = this.#sent.get(name)
    const body = bodyOf(record)
    this.#sent.set(name, body)
    if (before === `two-step ${record.number}`) return ''
    if (before === '') return `post ${name}`
    return `repeat ${name}${before === body ? '' : ' changed'}`
  }

  #sendOnce(record: ExchangeRecord, path: string, how: string): string | undefined {
    const name = this.#messages.get(`guid ${parameterOf(record, 'guid')}`) ?? this.#nextOf(how, path)
    if (name === undefined) return undefined
    const queue = this.#queue(path)
    if (queue === undefined) return undefined
    const before = this.#sent.get(name)
    const body = `${withSlashes(path)} ${bodyOf(record)}`
    this.#sent.set(name, body)
    if (before === undefined) return `send ${name} to ${queue}${how}${detailsOf(record)}`
    const [queueBefore, ...bodyBefore] = before.split(' ')
    const changed = bodyBefore.join(' ') === bodyOf(record) ? '' : ' changed'
    return `repeat ${name}${changed}${queueBefore === queue ? '' : ` to ${queue}`}`
  }

  /** The first message of a queue that no step has brought in and that has neither guid nor address. */
  #nextOf(how: string, path: string): string | undefined {
    if (how !== ' by single-path') return undefined
    const left = this.#unnamed.get(withSlashes(path)) ?? []
    while (left.length > 0 && this.#sent.has(left.at(-1)!)) left.pop()
    return left.at(-1)
  }

  #subscribe(record: ExchangeRecord): string | undefined {
    const id = /\/subscriptions\/([^/]+)$/.exec(locationIn(record))?.[1]
    const form = new URLSearchParams(bodyOf(record))
    const destinations = form
      .getAll('destination')
      .flatMap((each) => each.split(','))
      .map((each) => withSlashes(each.trim()))
    const isDestination = (each: string) => QUEUE.test(each.replace(/\/\*$/, ''))
    if (id === undefined || !destinations.every(isDestination)) return undefined
    for (const each of destinations) if (!each.endsWith('*')) this.#queue(each)
    const selector = form.get('selector')
    const timeout = Number(form.get('timeout') ?? 0)
    return [
      `subscribe ${this.#consumer(id)} to ${destinations.join(',')}`,
      ...(form.has('prefetch') ? [`prefetch ${Number(form.get('prefetch'))}`] : []),
      ...(selector === "colour = 'red'" ? [`selector ${selector}`] : []),
      ...(timeout > 0 ? [`timeout ${timeOf(timeout * 1000)}`] : []),
      ...(selector !== null && selector !== "colour = 'red'" ? [`# selector ${selector}`] : []),
    ].join(' ')
  }

  #acknowledgeAll(record: ExchangeRecord, subscription: string): string | undefined {
    const names = listed(bodyOf(record)).flatMap((id) => this.#messages.get(`delivery ${id}`) ?? [])
    const consumer = this.#consumers.get(subscription)
    return names.length === 0 || consumer === undefined
      ? undefined
      : `ack ${consumer} ${names.join(' ')} and read`
  }

  #about(verb: string, lease: string, delivery: string): string | undefined {
    const message = this.#messages.get(`delivery ${delivery}`)
    const consumer = this.#consumers.get(lease)
    return message === undefined || consumer === undefined ? undefined : `${verb} ${consumer} ${message}`
  }

  /** A queue that is there; one that no step has made is made first. Undefined where the language has no such name. */
  #queue(path: string): string | undefined {
    const queue = withSlashes(path)
    if (!QUEUE.test(queue)) return undefined
    if (!this.#queues.has(queue)) {
      this.#queues.add(queue)
      this.#lines.unshift(`create ${queue}`)
    }
    return queue
  }

  /** Called by letters in the order of their coming. */
  #consumer(id: string): string {
    const known = this.#consumers.get(id)
    if (known !== undefined) return known
    const place = this.#consumers.size
    const name = String.fromCharCode(65 + (place % 26)) + (place < 26 ? '' : Math.floor(place / 26))
    this.#consumers.set(id, name)
    return name
  }
}

/** What a send names its message by; undefined for what is none, or names none. */
function keyOfSend(record: ExchangeRecord): string | undefined {
  if (record.method !== 'POST') return undefined
  const guid = parameterOf(record, 'guid')
  const [, address] = /^\/addresses\/([^/]+)$/.exec(record.path) ?? []
  if (guid !== null) return `guid ${guid}`
  return address === undefined ? undefined : `address ${address}`
}

/** The queue that a message was sent to by the single path. */
function singlePathOf({ method, path, response }: ExchangeRecord): string | undefined {
  const [, first, ...rest] = path.split('/').map(plainSegment)
  return method === 'POST' && response?.status === 200 && first === 'queue'
    ? withSlashes(rest.join('/'))
    : undefined
}

function parameterOf({ query }: ExchangeRecord, name: string): string | null {
  return new URLSearchParams(query).get(name)
}

/** An exchange for which the language has no word. */
function commentOf({ method, path, response }: ExchangeRecord): string {
  return `# ${method} ${path}${response === undefined ? '' : ` ${response.status}`}`
}

/** Properties and the size of a message, where the language has words for them. */
function detailsOf({ request: { headers, bytes } }: ExchangeRecord): string {
  const colour = /^(?:red|blue)$/.exec(headers['property-colour'] ?? '')
  return `${colour === null ? '' : ` with colour ${colour[0]}`}${bytes < LARGE ? '' : ` size ${bytes}`}`
}

function bodyOf({ request }: ExchangeRecord): string {
  const { body = '', bodyBase64 = '' } = shownBody(request)
  return body + bodyBase64
}

function locationIn({ response }: ExchangeRecord): string {
  return response?.headers.Location ?? response?.headers['Content-Location'] ?? ''
}

function named(before: string, name: string | undefined, behind = ''): string | undefined {
  return name === undefined || name === '' ? undefined : before + name + behind
}

function timeOf(milliseconds: number): string {
  const whole = Math.max(1, Math.round(milliseconds))
  return whole % 1000 === 0 ? `${whole / 1000}s` : `${whole}ms`
}
