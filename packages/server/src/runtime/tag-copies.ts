import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPaths, readId } from '../data-folder.ts'

/**
 * Deletes the copies of tags and merchants before a start. A queue in memory, which is lost with the process, would have corrected copies of the last
 * seconds. The service reads the database where it has no copy.
 */
export const deleteTagCopies = (data: string) =>
  rm(join(dataPaths(data).storage, 'kv'), { recursive: true, force: true })

/** Makes the copies equal to the database, as `npm run rebuild-tags` does. */
async function rebuildTagCopies(origin: URL, adminToken: string): Promise<void> {
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const url = new URL('/admin/rebuild-tags', origin)
    if (cursor !== '') url.searchParams.set('cursor', cursor)
    const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${adminToken}` } })
    if (!response.ok) throw new Error(`copies of tags were not checked: ${response.status}`)
    const done: { cursor?: string } = JSON.parse(await response.text())
    cursor = done.cursor
  }
}

/** Returns a function that rebuilds the copies if workerd has started again since its last success. */
export function watchRuntime(data: string, origin: URL, adminToken: string): () => Promise<void> {
  let known = readId(dataPaths(data).runtimeId)
  return async () => {
    const id = readId(dataPaths(data).runtimeId)
    if (id === known) return
    await rebuildTagCopies(origin, adminToken)
    known = id
  }
}
