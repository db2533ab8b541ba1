import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CliError, isDiskFull } from '../cli-error.ts'

/** The folder of wrangler's configuration and logs, by wrangler's own rules. */
function getWranglerFolder(): string {
  const ownFolder = join(homedir(), '.wrangler')
  if (existsSync(ownFolder)) return ownFolder
  const { XDG_CONFIG_HOME, APPDATA } = process.env
  if (XDG_CONFIG_HOME) return join(XDG_CONFIG_HOME, '.wrangler')
  if (process.platform === 'win32') return join(APPDATA || join(homedir(), 'AppData/Roaming'), 'xdg.config/.wrangler')
  const base = process.platform === 'darwin' ? 'Library/Preferences' : '.config'
  return join(homedir(), base, '.wrangler')
}

/** Throws if wrangler cannot write its logs, for example because the home folder is read-only. */
export async function requireWritableHome(): Promise<void> {
  const folder = getWranglerFolder()
  const probe = join(folder, `probe-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(probe, 'x')
    await rm(probe)
  } catch (error) {
    if (isDiskFull(error)) throw error
    throw new CliError(
      `wrangler cannot write to ${folder}, because the folder is read-only or belongs to somebody else. Set XDG_CONFIG_HOME to a folder that you can write to.`,
      1,
    )
  }
}
