import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** What {@link startCommand} starts a process by. */
export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess

/** A command that runs, with all that it has started. */
export interface Started {
  readonly child: ChildProcess
  /** Ends all of it, whatever it does. */
  kill(): void
}

/**
 * Starts a command of the user's, in a group of processes of its own where `apart` says so.
 *
 * On Windows a shell does it, since what npm installs there are scripts that only a shell can run.
 *
 * @param platform as `process.platform` names it
 */
export function startCommand(
  command: readonly string[],
  { apart = false, ...options }: SpawnOptions & { readonly apart?: boolean },
  platform: NodeJS.Platform = process.platform,
  start: Spawn = spawn,
): Started {
  const [program = '', ...args] = command
  const isWindows = platform === 'win32'
  const child = isWindows
    ? start(lineForWindows(command), [], { ...options, shell: true, windowsHide: true })
    : start(program, args, { ...options, detached: apart })
  return {
    child,
    kill() {
      const { pid } = child
      if (pid === undefined) return
      if (isWindows) start('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' })
      else if (apart) killGroup(pid)
      else child.kill('SIGKILL')
    },
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // All of it has ended by itself.
  }
}

/**
 * A command as `cmd.exe` reads it, and then the program, which takes a `\"` for a quote. A name between two `%` is replaced by
 * the shell all the same.
 */
export function lineForWindows([program = '', ...args]: readonly string[]): string {
  return [program.replaceAll('/', '\\'), ...args].map(quoted).join(' ')
}

function quoted(text: string): string {
  if (/^[\w./:\\=@,+-]+$/.test(text)) return text
  return `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}
