import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { runCommand } from './command.ts'
import type { Account } from './merchant.ts'

/** The arguments of `npm run load` for a merchant. */
export const flags = ({ url, merchantId, key }: Account) => ['--url', url, '--merchant', merchantId, '--key', key]
/** Runs `npm run load` to its end. */
export const load = (...args: readonly string[]) => runCommand('.', process.execPath, 'tools/cli/load.ts', ...args)
/** The lines of an output, with single spaces. */
export const linesOf = (output: string) => output.split('\n').map((line) => line.trim().replace(/ +/g, ' '))

/** A folder for the files of a test file, deleted after its tests. Returns its path, and a function that writes a catalogue file there. */
export async function createLoadFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'load-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  async function writeFileOf(name: string, content: unknown): Promise<string> {
    const file = join(folder, name)
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  return { folder, writeFileOf }
}
