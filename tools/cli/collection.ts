import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { buildBrunoCollection } from '../openapi/build.ts'
import { projectFolder } from './project-folder.ts'

/** Writes the Bruno collection into a folder, which it replaces. */
export async function writeCollection(folder: string): Promise<number> {
  const files = Object.entries(buildBrunoCollection())
  await rm(folder, { recursive: true, force: true })
  for (const [name, content] of files) {
    const file = join(folder, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  return files.length
}

if (import.meta.main) {
  const folder = resolve(projectFolder, 'dist/collection')
  const count = await writeCollection(folder)
  console.log(`Wrote ${count} files to ${relative(projectFolder, folder)}. Open the folder in Bruno.`)
}
