import t from 'tap'
import { HttpClient } from '../client/http-client.js'
import { HttpTarget } from '../client/http-target.js'
import { parseProfile } from '../client/parse-profile.js'
import { RunClock } from '../client/run-clock.js'
import { Sockets } from '../client/sockets.js'
import { TargetClock } from '../client/target-clock.js'
import { CheckTrial } from './check-trial.js'
import type { FakeBroker } from './fake-broker.test.helper.js'
import type { Timing } from './trial.js'

export const TIMING: Timing = {
  latency: 1,
  held: 0,
  settle: 0,
  timeout: 120,
  lease: 1000,
  briefLease: 1000,
  ampleLease: 1000,
  leaseGrace: 200,
}

/** A trial at a fake broker, and how often it has given its place away. */
export function trialOf(broker: FakeBroker, profileJson: unknown = {}, timing: Partial<Timing> = {}) {
  const clock = new RunClock()
  const client = new HttpClient(new Sockets(clock.now))
  t.teardown(() => client.close())
  const profile = parseProfile(profileJson)
  const target = new HttpTarget({ baseUrl: broker.url, profile, client, answerTimeout: 5000 })
  const waits = { idle: 0, yielded: 0 }
  const hold = profile.clock && new TargetClock(profile, target, clock, TIMING.lease).hold()
  const trial = new CheckTrial({
    profile,
    timing: { ...TIMING, ...timing },
    target,
    clock,
    foreignLeases: profile.subscription.parameters.timeout === null,
    targetClock: hold && { elapse: async (milliseconds) => (await hold).elapse(milliseconds) },
    prefix: 'kit-0123456789',
    signal: new AbortController().signal,
    idle: (wait) => {
      waits.idle += 1
      return wait()
    },
    yieldPermit: (wait) => {
      waits.yielded += 1
      return wait()
    },
  })
  return Object.assign(trial, { waits })
}
