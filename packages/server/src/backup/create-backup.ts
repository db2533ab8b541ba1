import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { getCode, getReason, isDiskFull, ServerError } from '../server-error.ts'
import { formatVersion, type Manifest, manifestName } from './manifest.ts'
import { listDatabases, listFiles } from './storage.ts'
import { appendEnd, appendFile } from './tar.ts'

/** All pages in one step: one state of the database, even if it is written to. */
const allPages = 2 ** 31 - 1

async function* hashed(content: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

/** Copies a database that the server may be writing to. Returns false if it has been deleted. */
async function copyOpenDatabase(file: string, target: string): Promise<boolean> {
  try {
    await stat(file)
    const source = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
    try {
      await copyDatabase(source, target, { rate: allPages })
    } finally {
      source.close()
    }
    return true
  } catch (error) {
    if (getCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Links the files of pictures into a folder, where they stay if the server deletes them. Files that have a link already keep it. */
async function linkFiles(data: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const linked = new Map<string, string>()
  for (const [name, path] of await listFiles(data)) {
    const target = join(folder, name.replace('/', '-'))
    try {
      await link(path, target)
    } catch (error) {
      if (getCode(error) === 'ENOENT') continue
      if (getCode(error) !== 'EEXIST') throw error
    }
    linked.set(name, target)
  }
  return linked
}

/** Writes all data into one file, also while the server runs. Returns the number of files in it and its size in bytes. */
export async function createBackup(
  data: string,
  file: string,
  release: string,
): Promise<{ files: number; bytes: number }> {
  if ((await listDatabases(data)).size === 0)
    throw new ServerError(`The folder ${data} contains no data of the server.`)
  const seconds = Math.floor(Date.now() / 1000)
  const manifest: Manifest = { formatVersion, release, createdAt: seconds, files: [] }
  const partial = `${file}.partial`
  const copies = await mkdtemp(join(dirname(file), '.backup-')).catch((error: unknown) => {
    throw new ServerError(`${dirname(file)} cannot be written: ${getReason(error)}.`)
  })
  const links = await mkdtemp(join(data, '.backup-'))
  try {
    const before = await linkFiles(data, links)
    const archive = createGzip({ level: constants.Z_BEST_SPEED })
    const written = pipeline(archive, createWriteStream(partial, { mode: 0o600 }))
    written.catch(() => undefined)
    const append = async (name: string, path: string) => {
      const { size } = await stat(path)
      const hash = createHash('sha256')
      await appendFile(archive, { name, bytes: size, seconds }, hashed(createReadStream(path), hash))
      manifest.files.push({ name, bytes: size, sha256: hash.digest('hex') })
    }
    for (const [name, path] of await listDatabases(data)) {
      const copy = join(copies, 'copy.sqlite')
      if (await copyOpenDatabase(path, copy)) await append(name, copy)
      await rm(copy, { force: true })
    }
    for (const [name, path] of new Map([...before, ...(await linkFiles(data, links))])) await append(name, path)
    const text = Buffer.from(JSON.stringify(manifest))
    await appendFile(archive, { name: manifestName, bytes: text.length, seconds }, [text])
    await appendEnd(archive)
    archive.end()
    await written
    const handle = await open(partial)
    await handle.sync()
    await handle.close()
    await rename(partial, file)
    return { files: manifest.files.length, bytes: (await stat(file)).size }
  } catch (error) {
    await rm(partial, { force: true })
    if (isDiskFull(error)) throw new ServerError('The disk is full. No backup was written.')
    throw error
  } finally {
    for (const folder of [copies, links]) await rm(folder, { recursive: true, force: true })
  }
}
