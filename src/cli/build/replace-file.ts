import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file that others may be reading: they get the content before or the new one. A file with this content is left alone. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content)
  const before = await readFile(file).catch(() => undefined)
  if (before?.equals(bytes)) return
  await mkdir(dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, bytes)
  await rename(temporary, file)
}
