import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Renews a picture of `docs/` when `SAVE_PICTURES` is set. Other runs leave the developer's files alone. */
export async function savePicture(name: string, picture: Uint8Array): Promise<void> {
  if (process.env['SAVE_PICTURES'] === undefined) return
  await writeFile(resolve(import.meta.dirname, `../../docs/${name}.png`), picture)
}
