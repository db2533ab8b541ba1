import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { projectFolder } from '../project-folder.ts'

/** Folder of unfinished files. They are separate from the finished ones, so that processes that list that folder do not find them. */
const unfinishedFolder = resolve(projectFolder, '.wrangler/unfinished')

/** Writes a file that others may be reading: they get either the previous or the new content. Does not write an unchanged file. */
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
