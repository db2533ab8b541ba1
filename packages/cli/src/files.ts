import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from './errors/usage-error.ts'

/** The user's folder for the profiles and the state of `listen`. */
export function configFolder({ env, platform } = process): string {
  const base =
    env['XDG_CONFIG_HOME'] || (platform === 'win32' && env['APPDATA'] ? env['APPDATA'] : join(homedir(), '.config'))
  return join(base, 'merchant-ordering')
}

/** Bits of a file's mode that let others read or write it. */
const othersMask = 0o077
/** Reads a file with secret content. If others can read it, throws an error with the command that corrects this. Windows has no such modes. */
async function readSecret(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { mode } = await handle.stat()
    if (process.platform !== 'win32' && (mode & othersMask) !== 0) {
      const shown = (mode & 0o777).toString(8)
      throw new UsageError(
        `Others can read or change ${file} (mode ${shown}), which contains keys. Run: chmod 600 '${file}'\nIf others may have read it, roll the keys.`,
      )
    }
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Reads a JSON file of the folder; undefined if it does not exist. */
export async function readPrivateFile(name: string): Promise<unknown> {
  const file = join(configFolder(), name)
  let text: string
  try {
    text = await readSecret(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON. Correct or delete it.`)
  }
}

/** Replaces a JSON file of the folder atomically. Only the user can read it, from its first byte on. */
export async function writePrivateFile(name: string, value: object): Promise<void> {
  const file = join(configFolder(), name)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}`
  await writeFile(temporary, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await chmod(temporary, 0o600)
  await rename(temporary, file)
}

/** Writes a file. Until it is complete, its name ends in `.part`. */
export async function writeOutputFile(name: string, content: Readable): Promise<void> {
  const part = `${name}.part`
  try {
    await pipeline(content, createWriteStream(part))
    await rename(part, name)
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof Error && 'syscall' in error)
      throw new UsageError(`${name} cannot be written: ${error.message}`)
    throw error
  }
}

/** Whether a value is an object, but no list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
