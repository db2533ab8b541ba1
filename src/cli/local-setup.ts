import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { projectFolder } from './demo.ts'
import { runWrangler } from './wrangler.ts'

/** The secrets and variables of local development. */
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

/** Applies the migrations to the local database; returns wrangler's complaint where that fails. */
export function applyMigrations(stateFolder: string | undefined, signal: AbortSignal): Promise<string | undefined> {
  const state = stateFolder === undefined ? [] : ['--persist-to', stateFolder]
  return runWrangler(['d1', 'migrations', 'apply', 'DB', '--local', ...state], signal)
}

/** Beside the local database, so that it goes with it: a hash of all that decides what has to be applied where. */
const appliedFile = resolve(projectFolder, '.wrangler/state/v3/d1/applied-migrations')
const sources = ['wrangler.toml', 'migrations/meta/_journal.json']

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(await readFile(resolve(projectFolder, source)))
  return hash.digest('hex')
}

/**
 * Sets up what a plain `wrangler dev` needs: variables, where no file has any, and the migrations, where they have changed since the
 * last time. A rebuild costs the reading of three small files.
 */
export async function setUpLocally(): Promise<void> {
  const hash = await hashSources()
  const isApplied = (await readFile(appliedFile, 'utf8').catch(() => '')) === hash
  // With a `.dev.vars` beside it, wrangler would ignore an `.env`.
  if (!existsSync(resolve(projectFolder, '.env')) && (await createDevVars())) {
    console.log('.dev.vars was copied from .dev.vars.example; its ADMIN_TOKEN opens /admin.')
  }
  if (isApplied) return
  const complaint = await applyMigrations(undefined, new AbortController().signal)
  if (complaint !== undefined) {
    console.error(`The local database could not be prepared; GET /health says what it lacks.\n${complaint}`)
    return
  }
  await mkdir(dirname(appliedFile), { recursive: true })
  await writeFile(appliedFile, hash)
  console.log('The local database has all migrations and no merchant: "npm run dev" adds a demo venue and its keys.')
}
