import fc from 'fast-check'
import t from 'tap'
import { type Linked, LinkedList } from './linked-list.js'

interface Item extends Linked<Item> {
  readonly value: number
}

function item(value: number): Item {
  return { value, previous: undefined, next: undefined }
}

function values(items: Iterable<Item>): number[] {
  return [...items].map(({ value }) => value)
}

/** The values read backwards, by the links that a reader forwards never uses. */
function backwards(list: LinkedList<Item>): number[] {
  const found: number[] = []
  for (let at = list.last; at !== undefined; at = at.previous) found.push(at.value)
  return found
}

t.test('the item handed out last may be removed while iterating', (t) => {
  const list = new LinkedList<Item>()
  for (const value of [1, 2, 3]) list.append(item(value))
  const seen: number[] = []
  for (const next of list) {
    seen.push(next.value)
    list.remove(next)
  }
  t.same(seen, [1, 2, 3])
  t.same([list.size, list.first, list.last], [0, undefined, undefined])
  t.end()
})

t.test('whatever is done to it, it is the list that an array would be, in both directions', (t) => {
  const step = fc.record({ do: fc.constantFrom('append', 'remove', 'move'), where: fc.nat() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const list = new LinkedList<Item>()
      let model: Item[] = []
      steps.forEach(({ do: what, where }, value) => {
        const chosen = model[where % Math.max(1, model.length)]
        if (what === 'append' || chosen === undefined) {
          model.push(item(value))
          list.append(model.at(-1) as Item)
        } else {
          model = model.filter((other) => other !== chosen)
          if (what === 'remove') list.remove(chosen)
          else {
            list.moveToEnd(chosen)
            model.push(chosen)
          }
        }
        if (values(list).join() !== values(model).join()) throw new Error('forwards')
        if (backwards(list).join() !== values(model).reverse().join()) throw new Error('backwards')
        if (list.size !== model.length) throw new Error('size')
      })
    }),
  )
  t.end()
})
