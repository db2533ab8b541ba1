import { existsSync, readdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../node_modules/.cache/compiled')
/** Files of about 7 KB each. A run adds a thousand: those of its fresh copies of the project. */
const maxFiles = 20_000

/** Lets the commands that tests start keep what Node has compiled: they load the same code again and again (wrangler, npm, `src`). */
export function useCompileCache(): void {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return
  process.env['NODE_COMPILE_CACHE'] = folder
  if (existsSync(folder) && readdirSync(folder, { recursive: true }).length > maxFiles)
    rmSync(folder, { recursive: true })
}
