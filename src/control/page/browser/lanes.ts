import type { LaneMoment } from '../../lanes.js'
import { part } from './dom.js'
import { lanesPicture } from './picture.js'

/** The one way by which markup comes into the page: what the drawing function writes, which escapes every text. */
const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('lanes', {
  createHTML: (text) => text,
})

interface Policies {
  createPolicy(
    name: string,
    rules: { createHTML: (text: string) => string },
  ): { createHTML(text: string): string }
}

let drawn = ''

/** Draws who sent, who held and until when; what is drawn already is not drawn again. */
export function showLanes(moments: readonly LaneMoment[]): void {
  part('no-lanes', HTMLElement).hidden = moments.length > 0
  const place = part('lanes', HTMLElement)
  const start = moments[0]?.time ?? 0
  const shown = moments.map(({ label, time, events }) => ({ label, time: time - start, events }))
  const width = Math.max(300, place.clientWidth - 100)
  const picture =
    moments.length === 0 ? '' : lanesPicture(shown, { label: 'Messages and consumers over time', width })
  if (picture === drawn) return
  drawn = picture
  place.innerHTML = policy?.createHTML(picture) ?? picture
  // What happened last is what somebody wants to see.
  const scroll = place.querySelector('.scroll')
  if (scroll !== null) scroll.scrollLeft = scroll.scrollWidth
}
