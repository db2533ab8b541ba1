import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { projectFolder } from '../project-folder.ts'

/** Unfinished files: not beside the finished ones, where another process that lists the folder would find them. */
const unfinishedFolder = resolve(projectFolder, '.wrangler/unfinished')

/** Writes a file that others may be reading: they get the content before or the new one. A file with this content is left alone. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content)
  const before = await readFile(file).catch(() => undefined)
  if (before?.equals(bytes)) return
  await mkdir(dirname(file), { recursive: true })
  await mkdir(unfinishedFolder, { recursive: true })
  const unfinished = resolve(unfinishedFolder, randomUUID())
  await writeFile(unfinished, bytes)
  await rename(unfinished, file)
}
