import type { Profile } from './profile.js'
import { fill, headerOf } from './template.js'

/** A message made of a text, as the profile's template has it. */
export function messageOf({ message }: Profile, text: string): string {
  return fill(message.body, 'text', text, headerOf(message.headers, 'content-type'))
}

/** Whether a target takes any body at all, as far as its profile says: then a body need not be made by the template. */
export function takesAnyBody({ message }: Profile): boolean {
  return message.body === '{text}' && message.arrives === 'same'
}
