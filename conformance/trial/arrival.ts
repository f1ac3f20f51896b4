import { formsOf } from '../client/forms.js'
import { difference } from './labels.js'
import type { Trial } from './trial.js'

/** A body that was sent, and what a consumer was given for it. */
export interface Arrival {
  readonly sent: Buffer
  readonly got: Buffer
  /** What it was sent as, without which it is taken for text. */
  readonly type?: string
  /** Another form in which it may come. */
  readonly otherwise?: Buffer | undefined
}

/** Expects a body as it was sent: byte for byte, or, where the profile says that messages come within more, within that. */
export function expectArrived(trial: Trial, expected: string, arrival: Arrival): void {
  const { sent, got, type = 'text/plain', otherwise } = arrival
  const wanted = otherwise === undefined ? [sent] : [sent, otherwise]
  const isSame = trial.profile.message.arrives === 'same'
  const forms = isSame ? [] : [...formsOf(got)]
  const holds = (form: Buffer) => isOneOf(wanted, form) || (sent.length > 0 && form.includes(sent))
  const about = forms.find((form) => trial.knowing.isAbout(form))
  // How an envelope holds what is no text, or nothing, is the target's own affair.
  const isUnreadable = !isSame && about === undefined && !(sent.length > 0 && type.startsWith('text/plain'))
  const came = isSame ? isOneOf(wanted, got) : forms.some(holds)
  if (!came && isUnreadable) trial.observed('Such a body comes in a form that the kit cannot read.')
  else trial.expect(came, expected, () => difference(sent, about ?? got))
}

function isOneOf(wanted: readonly Buffer[], got: Buffer): boolean {
  return wanted.some((each) => got.equals(each))
}
