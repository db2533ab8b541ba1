import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { getReason } from '../cli-error.ts'
import { applyLocalMigrations } from '../migration/apply.ts'
import { projectFolder } from '../project-folder.ts'

/** Secrets and variables of local development. */
export const devVarsFile = resolve(projectFolder, '.dev.vars')

/** Copies `.dev.vars.example` to `.dev.vars` unless that exists; returns whether it did. */
export async function createDevVars(): Promise<boolean> {
  try {
    await copyFile(`${devVarsFile}.example`, devVarsFile, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * Hash of all inputs that decide which migrations apply to which database. It is stored next to the local database, so that both are deleted
 * together.
 */
const appliedFile = resolve(projectFolder, '.wrangler/state/v3/d1/applied-migrations')
const sources = ['wrangler.toml', 'migrations/meta/_journal.json']

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(await readFile(resolve(projectFolder, source)))
  return hash.digest('hex')
}

/**
 * Sets up what a plain `wrangler dev` needs: variables if no file has them, and migrations if they changed since the last start.
 * Runs on every rebuild and then reads three small files.
 */
export async function setUpLocally(): Promise<void> {
  const hash = await hashSources()
  const isApplied = (await readFile(appliedFile, 'utf8').catch(() => '')) === hash
  // wrangler ignores `.env` if `.dev.vars` exists.
  if (!existsSync(resolve(projectFolder, '.env')) && (await createDevVars())) {
    console.log('.dev.vars was copied from .dev.vars.example. Its ADMIN_TOKEN gives access to /admin.')
  }
  if (isApplied) return
  try {
    await applyLocalMigrations()
  } catch (error) {
    const reason = getReason(error)
    console.error(
      `The migrations could not be applied to the local database. GET /health lists the missing ones.\n${reason}`,
    )
    return
  }
  await mkdir(dirname(appliedFile), { recursive: true })
  await writeFile(appliedFile, hash)
  console.log('The local database has all migrations. To add a demo venue and its keys, run "npm run dev" instead.')
}
