import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPaths } from '../data-folder.ts'

/** Databases and files of the data, in the order in which a backup reads them, and the names of their folders in a backup. */
const parts = [
  { name: 'homes', folder: 'do/merchant-ordering-api-MerchantHome' },
  { name: 'directory', folder: 'd1/miniflare-D1DatabaseObject' },
  { name: 'pictures', folder: 'r2/miniflare-R2BucketObject' },
] as const
/** Buckets, and the names of their folders in a backup. workerd writes a file for each stored object and never changes it. */
const buckets = { media: 'merchant-ordering-api-media', backups: 'merchant-ordering-api-backups' } as const

const readNames = (folder: string) => readdir(folder).catch((): string[] => [])

/** The databases of the data, by their names in a backup: homes first, then the directory, then the lists of pictures. */
export async function listDatabases(data: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { name, folder } of parts) {
    const path = join(dataPaths(data).storage, folder)
    for (const file of (await readNames(path)).toSorted())
      if (file.endsWith('.sqlite')) found.set(`${name}/${file}`, join(path, file))
  }
  return found
}

/** The files of pictures and of merchants' backups, by their names in a backup. */
export async function listFiles(data: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [name, bucket] of Object.entries(buckets)) {
    const path = join(dataPaths(data).storage, 'r2', bucket, 'blobs')
    for (const file of await readNames(path)) found.set(`${name}/${file}`, join(path, file))
  }
  return found
}

/** Where a file of a backup belongs, below the storage. Undefined for names that no backup has. */
export function findPlace(name: string): string | undefined {
  const [, folder, file] = /^([a-z]+)\/([\w-][\w.-]*)$/.exec(name) ?? []
  const part = parts.find((each) => each.name === folder)
  if (part && file !== undefined) return join(part.folder, file)
  const bucket = Object.entries(buckets).find(([each]) => each === folder)?.[1]
  return bucket === undefined || file === undefined ? undefined : join('r2', bucket, 'blobs', file)
}
