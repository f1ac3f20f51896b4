import { part } from './dom.js'
import { ask, askJson } from './server.js'

/** Carries out what a button stands for. @param work resolves with what is to be said */
export type Act = (work: () => Promise<string>) => Promise<void>

/** Gives the buttons of the reset their meaning: it is asked for twice, and what can be undone is. */
export function setUpReset(act: Act): void {
  const reset = part('reset', HTMLButtonElement)
  const confirm = part('confirm-reset', HTMLElement)
  const undo = part('undo', HTMLButtonElement)
  /** What was there before the last reset, as a seed. */
  let before: string | undefined

  const show = (open: boolean) => {
    confirm.hidden = !open
    reset.hidden = open
    reset.setAttribute('aria-expanded', `${open}`)
    if (open) part('keep', HTMLButtonElement).focus()
    else reset.focus()
  }

  const resetTo = (seed: boolean, said: string) =>
    act(async () => {
      show(false)
      before = await ask('GET', 'seed')
      await askJson('POST', 'reset', { seed })
      undo.hidden = false
      return said
    })

  reset.addEventListener('click', () => show(true))
  part('keep', HTMLButtonElement).addEventListener('click', () => show(false))
  confirm.addEventListener('keydown', ({ key }) => key === 'Escape' && show(false))
  part('reset-empty', HTMLButtonElement).addEventListener('click', () =>
    resetTo(false, 'The server is empty.'),
  )
  part('reset-seed', HTMLButtonElement).addEventListener('click', () =>
    resetTo(true, 'The server is as it was at its start.'),
  )
  undo.addEventListener('click', () =>
    act(async () => {
      await askJson('POST', 'reset')
      await ask('POST', 'seed', { body: before ?? '{}' })
      before = undefined
      undo.hidden = true
      reset.focus()
      return 'Queues and messages are there again; leases, faults and the journal are not.'
    }),
  )
}
