import { parentPort } from 'node:worker_threads'
import { dispatch } from './dispatch.js'

// The thread behind `cli`: told a command line, it answers with what came of it; told none, it ends.
parentPort?.on('message', async (args?: readonly string[]) => {
  if (args === undefined) return parentPort?.close()
  const ended = { out: '', err: '' }
  process.stdout.write = (text: string | Uint8Array) => {
    ended.out += String(text)
    return true
  }
  process.stderr.write = (text: string | Uint8Array) => {
    ended.err += String(text)
    return true
  }
  const code = await dispatch(args)
  parentPort?.postMessage({ ...ended, code })
})
