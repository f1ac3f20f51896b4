import t from 'tap'
import { LEASE, Story } from './story.test.helper.js'

/** What a client knows for certain, kept without the model: the rules that hold in every state. */
interface Known {
  readonly shown: Readonly<Record<string, readonly string[]>>
  readonly done: readonly string[]
}

t.test('small worlds, walked whole: two queues, three messages, two consumers', (t) => {
  const bodies = ['m1', 'm2', 'm3']
  const subsets = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => bodies.filter((_, at) => bits & (1 << at)))
  const prefetch: Readonly<Record<string, number>> = { A: 1, B: 2 }
  let level: { story: Story; known: Known }[] = [
    { story: new Story().queue('a').queue('b'), known: { shown: { A: [], B: [] }, done: [] } },
  ]
  const seen = new Set<string>()
  let states = 0
  const wrong: string[] = []
  const sent = ({ state }: Story) => state[0]!.messages.map(({ body }) => body)
  const isLive = ({ state }: Story, key: string) => {
    const over = state.map(
      ({ consumers }) => consumers[key] !== undefined && consumers[key].over === undefined,
    )
    return over.every(Boolean)
  }
  for (let depth = 0; depth < 14 && level.length > 0; depth++) {
    const next: typeof level = []
    const add = (story: Story, known: Known) => {
      const key = JSON.stringify([story.state, known])
      if (seen.has(key)) return
      seen.add(key)
      next.push({ story, known })
    }
    for (const { story, known } of level) {
      states += 1
      const here = sent(story)
      const open = here.filter((body) => !known.done.includes(body))
      // Nothing that was not acknowledged is lost, and nothing that was is listed.
      for (const queue of ['a', 'b']) {
        const own = open.filter((body) => (body === 'm3') === (queue === 'b'))
        if (story.fork().browse(queue, ...own) !== undefined) wrong.push(`${queue} may not show ${own}`)
        if (own.length > 0 && story.fork().browse(queue, ...own.slice(1)) === undefined)
          wrong.push('one may be lost')
      }
      const body = bodies[here.length]
      if (body !== undefined) add(story.fork().send(body === 'm3' ? 'b' : 'a', body), known)
      for (const key of ['A', 'B']) {
        if (story.state[0]!.consumers[key] === undefined) {
          const both = {
            destinations: [{ queue: 'a' }, { queue: 'b' }],
            lease: LEASE,
            prefetch: prefetch[key]!,
          }
          add(story.fork().go({ do: 'subscribe', ...both }, { status: 201, location: key }), known)
          continue
        }
        for (const shown of subsets) {
          const after = story.fork()
          if (after.read(key, ...shown) !== undefined) continue
          const other = key === 'A' ? 'B' : 'A'
          if (!isLive(story, key)) wrong.push(`${key} was over, and read`)
          if (shown.length > prefetch[key]!) wrong.push('more than the prefetch')
          if (shown.some((each) => known.done.includes(each))) wrong.push('acknowledged, and back')
          if (isLive(story, other) && shown.some((each) => known.shown[other]!.includes(each)))
            wrong.push('two holders')
          if (known.shown[key]!.some((each) => !shown.includes(each))) wrong.push('gone from its holder')
          add(after, { ...known, shown: { ...known.shown, [key]: shown } })
        }
        if (!isLive(story, key)) continue
        for (const each of known.shown[key]!) {
          const after = story.fork()
          if (after.acknowledge(key, each) !== undefined) wrong.push('a holder cannot acknowledge')
          const left = known.shown[key]!.filter((one) => one !== each)
          add(after, { shown: { ...known.shown, [key]: left }, done: [...known.done, each] })
        }
        const ended = story.fork().go({ do: 'unsubscribe', consumer: key })
        add(ended, { ...known, shown: { ...known.shown, [key]: [] } })
      }
      // All that is left comes to one who is alone.
      const last = story.fork()
      for (const key of ['A', 'B']) if (isLive(last, key)) last.go({ do: 'unsubscribe', consumer: key })
      const all = { destinations: [{ queue: 'a' }, { queue: 'b' }], lease: LEASE, prefetch: 9 }
      last.go({ do: 'subscribe', ...all }, { status: 201, location: 'C' })
      if (last.fork().read('C', ...open) !== undefined) wrong.push(`${open} may not come to the last`)
      if (open.length > 0 && last.read('C', ...open.slice(1)) === undefined) wrong.push('one may never come')
    }
    level = next
  }
  t.same([...new Set(wrong)], [])
  t.ok(states > 1000, `${states} states`)
  t.end()
})
