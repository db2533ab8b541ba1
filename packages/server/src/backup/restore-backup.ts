import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { dataPaths, lockData } from '../data-folder.ts'
import { getReason, ServerError } from '../server-error.ts'
import { type Manifest, manifestName, parseManifest } from './manifest.ts'
import { findPlace, listDatabases } from './storage.ts'
import { type ArchivedFile, readAll, readArchive } from './tar.ts'

const maxManifestBytes = 512 * 1024 * 1024

/** Writes a file to the disk. Returns its SHA-256. */
async function extract({ content }: ArchivedFile, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  const hash = createHash('sha256')
  const handle = await open(path, 'w', 0o600)
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      await handle.write(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return hash.digest('hex')
}

/** Extracts a backup into an empty folder. Throws if a file is missing, damaged or not listed. */
async function extractAll(file: string, target: string): Promise<Manifest> {
  const source = createReadStream(file)
  const unzipped = createGunzip()
  source.on('error', (error) => unzipped.destroy(error))
  const hashes = new Map<string, string>()
  let manifest: Manifest | undefined
  for await (const archived of readArchive(source.pipe(unzipped))) {
    if (archived.name === manifestName && archived.bytes < maxManifestBytes) {
      manifest = parseManifest((await readAll(archived.content)).toString())
      continue
    }
    const place = findPlace(archived.name)
    if (place === undefined) throw new Error(`it contains the unknown file ${archived.name}`)
    hashes.set(archived.name, await extract(archived, join(target, place)))
  }
  if (!manifest) throw new Error('its list of files is missing')
  for (const { name, sha256 } of manifest.files)
    if (hashes.get(name) !== sha256) throw new Error(`${name} is damaged or missing`)
  if (manifest.files.length !== hashes.size) throw new Error('it contains files that are not listed')
  return manifest
}

/** Restores a backup into a folder without data, while no server uses it. With `replace`, the present data is kept beside it. */
export async function restoreBackup(
  data: string,
  file: string,
  { replace }: { replace: boolean },
): Promise<{ manifest: Manifest; kept: string | undefined }> {
  const lock = lockData(data)
  const { storage } = dataPaths(data)
  const extracted = `${storage}.restoring`
  try {
    const hasData = (await listDatabases(data)).size > 0
    if (hasData && !replace) throw new ServerError(`The folder ${data} has data. Pass --replace to replace it.`)
    await rm(extracted, { recursive: true, force: true })
    const manifest = await extractAll(file, extracted).catch((error: unknown) => {
      throw new ServerError(`${file} cannot be restored: ${getReason(error)}. Nothing was changed.`)
    })
    const isEmpty = (await readdir(storage)).length === 0
    const kept = isEmpty ? undefined : `${storage}.before-${Date.now()}`
    if (kept === undefined) await rm(storage, { recursive: true })
    else await rename(storage, kept)
    await rename(extracted, storage)
    return { manifest, kept }
  } finally {
    await rm(extracted, { recursive: true, force: true })
    lock.release()
  }
}
