import { Refusal } from '../broker/refusals.js'
import { clientReportText } from '../control/client/rules.js'
import { Problem } from '../http/problems.js'
import { type RunningServer, startServer } from '../server.js'
import { PortFile } from './port-file.js'
import { serveHelp } from './serve-help.js'
import { serveOptions } from './serve-options.js'
import type { Terminal } from './terminal.js'

/**
 * `atom-mq serve`: runs a server until a signal stops it.
 *
 * @returns the exit code
 * @throws UsageError
 */
export async function serve(args: readonly string[], terminal: Terminal): Promise<number> {
  const {
    server: options,
    portFile: path,
    judgeClient,
    ignore,
    quiet,
    help,
  } = serveOptions(args, terminal.environment)
  if (help) {
    terminal.print(serveHelp())
    return 0
  }
  let server: RunningServer | undefined
  let portFile: PortFile | undefined
  try {
    if (path !== undefined) portFile = new PortFile(path)
    server = await startServer(options)
    portFile?.write(server.port)
  } catch (error) {
    terminal.complain(`atom-mq: ${reasonOf(error, options)}\n`)
    await server?.stop()
    return 1
  }
  terminal.print(`${server.url}\n`)
  if (!quiet)
    terminal.complain('atom-mq serves in memory: what is not consumed is gone when it stops (Ctrl-C).\n')
  await terminal.stopSignal
  portFile?.remove()
  await server.stop()
  if (!judgeClient) return 0
  const report = server.judgeClient({ ignore })
  terminal.complain(clientReportText(report))
  return report.conformant ? 0 : 3
}

/** Why a server does not start, as a sentence. */
export function reasonOf(
  error: unknown,
  { host = '127.0.0.1', port }: { host?: string; port?: number },
): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken; choose another with --port, or a free one with --port 0.`
    case 'EACCES':
      return `port ${port} of ${host} needs more rights than this process has; choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine; choose one with --host.`
  }
  if (error instanceof Problem) return `--seed: ${message}`
  if (error instanceof Refusal) return `a queue cannot be created: ${message}`
  return message
}
