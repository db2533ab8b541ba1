import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** How a command ended, and all that it printed. */
export interface Ended {
  code: number | null
  output: string
}

const pollMs = 50

/** Starts a command as a terminal does: it and its children are one group, which Ctrl-C reaches as a whole. */
export function startCommand(folder: string, program: string, ...args: readonly string[]) {
  const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  // Not `exit`: the output ends only when the last child of the command has.
  const ended = once(child, 'close').then(([code]): Ended => ({ code, output }))
  const send = (signal: NodeJS.Signals) => {
    try {
      return child.pid !== undefined && process.kill(-child.pid, signal)
    } catch {
      return false
    }
  }
  return {
    ended,
    /** Waits until the command has printed a text, and returns all that it has printed. Fails if it ends without. */
    async printed(text: string): Promise<string> {
      let over = false
      ended.then(() => {
        over = true
      })
      while (!output.includes(text)) {
        if (over) throw new Error(`ended without printing "${text}":\n${output}`)
        await setTimeout(pollMs)
      }
      return output
    },
    /** Presses Ctrl-C and waits for the end. */
    async interrupt(): Promise<Ended> {
      send('SIGINT')
      return await ended
    },
    /** Ends it as a process manager does, and waits for the end. */
    async terminate(): Promise<Ended> {
      send('SIGTERM')
      return await ended
    },
    /** Cleans up after a test, whatever state the command is in. */
    kill: () => send('SIGKILL'),
  }
}
export type Command = ReturnType<typeof startCommand>

/** Runs a command to its end. */
export const runCommand = (folder: string, program: string, ...args: readonly string[]) =>
  startCommand(folder, program, ...args).ended

/** Starts a script of `package.json`, as `npm run` does, which itself takes half a second of CPU time. */
export async function startScript(folder: string, name: string, ...args: readonly string[]): Promise<Command> {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  )
  const environment = [`INIT_CWD=${folder}`, `PATH=${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`]
  return startCommand(folder, 'env', ...environment, 'sh', '-c', `${scripts[name]} "$@"`, name, ...args)
}

/** Runs a script of `package.json` to its end. */
export const runScript = async (folder: string, name: string, ...args: readonly string[]): Promise<Ended> =>
  (await startScript(folder, name, ...args)).ended

/** Something accepts connections on a port of this machine. */
export const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
