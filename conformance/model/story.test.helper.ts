import { judge, type Request, START, type State } from './model.js'
import type { Answer, Entry } from './world.js'

export const LEASE = { length: 1000, grace: 100, renewedBy: ['read', 'ack'] } as const

/** A state, with what a client knows of it: told the model step by step, each of which takes no time. */
export class Story {
  state: State
  now: number

  constructor(state: State = START, now = 0) {
    this.state = state
    this.now = now
  }

  /** @returns the clause that is broken; undefined where none is, and then the story has gone on */
  tell(request: Request, answer: Partial<Answer> = {}): string | undefined {
    const next = judge(this.state, request, {
      status: 200,
      settled: true,
      from: this.now,
      to: this.now,
      ...answer,
    })
    if (typeof next === 'string') return next
    this.state = next
    return undefined
  }

  /** Where the story cannot go on, the test is wrong. */
  go(request: Request, answer: Partial<Answer> = {}): this {
    const broken = this.tell(request, answer)
    if (broken !== undefined) throw new Error(`${request.do}: ${broken}`)
    return this
  }

  queue(queue: string): this {
    return this.go({ do: 'createQueue', queue }, { status: 201, location: `/queues/${queue}` })
  }

  send(queue: string, body: string): this {
    const address = `/addresses/${body}`
    this.go({ do: 'newAddress', queue }, { status: 201, location: address })
    return this.go({ do: 'postMessage', address, body, colour: 'red' })
  }

  subscribe(uri: string, queue: string, prefetch = 10): this {
    const subscribing = { destinations: [{ queue }], prefetch, lease: LEASE }
    return this.go({ do: 'subscribe', ...subscribing }, { status: 201, location: uri })
  }

  read(consumer: string, ...bodies: string[]): string | undefined {
    return this.tell({ do: 'consume', consumer }, { entries: entriesOf(consumer, bodies) })
  }

  shows(consumer: string, ...bodies: string[]): this {
    return this.go({ do: 'consume', consumer }, { entries: entriesOf(consumer, bodies) })
  }

  browse(queue: string, ...bodies: string[]): string | undefined {
    return this.tell({ do: 'browseQueue', queue }, { entries: bodies.map((body) => ({ body, uri: '' })) })
  }

  acknowledge(consumer: string, body: string, answer: Partial<Answer> = {}): string | undefined {
    return this.tell({ do: 'acknowledge', uri: `${consumer} ${body}` }, answer)
  }

  fork(): Story {
    return new Story(this.state, this.now)
  }
}

export function entriesOf(consumer: string, bodies: readonly string[]): Entry[] {
  return bodies.map((body) => ({ body, uri: `${consumer} ${body}` }))
}
