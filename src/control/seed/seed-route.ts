import type { Route } from '../../http/route.js'
import type { Control } from '../control.js'
import { json, readBody } from '../input/json.js'
import { streamed } from '../input/streamed.js'
import type { Seed } from './seed.js'
import { seedText } from './seed-of.js'

/** `/_control/seed`: the queues and messages of now as a seed file, and putting in those of one. */
export function seedRoute(control: Control): Route {
  return {
    pattern: '/_control/seed',
    methods: {
      GET: () =>
        streamed(
          'application/json',
          seedText(control.broker, (message) => control.guidOf(message)),
          control.scheduler,
        ),
      POST: async (request) => {
        const seed = readBody(request) as Seed
        request.dropBody?.()
        await control.seedInSlices(seed)
        return json(control.state({ messages: 0 }))
      },
    },
  }
}
