import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { files } from '../docs/files.ts'
import { projectFolder } from './demo.ts'

/** Makes the documentation out of the declarations, as files that the Worker serves. */
export async function writeDocs(folder = resolve(projectFolder, 'public')): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(await files())) {
    const file = join(folder, name)
    // Whoever reads it meanwhile gets the old one or the new one, never half of either.
    await writeFile(`${file}.new`, content)
    await rename(`${file}.new`, file)
  }
}

if (import.meta.main) await writeDocs()
