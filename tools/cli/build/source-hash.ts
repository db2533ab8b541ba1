import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from './replace-file.ts'

/** Sources of the Worker, the documentation, the console and the server. */
const sources = [
  '{src,tools,console,docs,migrations,packages/{client,server}/src}/**/*.*',
  '*.md',
  '{package-lock,tsconfig}.json',
  'wrangler.toml',
]
/** Folders with the results of a build. */
const results = '{dist/worker,public}/**/*.*'
const recordFile = 'dist/built.json'

interface BuildRecord {
  hash: string
  files: readonly string[]
}

/** Hash of the names and contents of all sources. Takes 0.1 seconds, a build 3. */
function hashSources(cwd: string): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd }).toSorted()) {
    const content = readFileSync(join(cwd, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Whether the sources are those of the last recorded build, and all its files exist. */
export function isBuilt(cwd: string): boolean {
  const file = join(cwd, recordFile)
  if (!existsSync(file)) return false
  const { hash, files }: BuildRecord = JSON.parse(readFileSync(file, 'utf8'))
  return files.every((name) => existsSync(join(cwd, name))) && hash === hashSources(cwd)
}

/** Runs a build and records the state of its sources before the build. */
export async function recordBuild(cwd: string, build: () => Promise<unknown>): Promise<void> {
  const hash = hashSources(cwd)
  await build()
  const record: BuildRecord = { hash, files: globSync(results, { cwd }) }
  await replaceFile(join(cwd, recordFile), JSON.stringify(record))
}
