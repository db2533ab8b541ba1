import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '../..')
const parts = ['package.json', 'wrangler.toml', '.dev.vars.example', 'migrations', 'src']

/** The project as somebody has it who has just cloned it, in a folder of its own; what npm installed is shared. */
export async function createCheckout({ isInstalled = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-'))
  for (const part of parts) await cp(join(project, part), join(folder, part), { recursive: true })
  if (isInstalled) await symlink(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return {
    folder,
    path: (...names: readonly string[]) => join(folder, ...names),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
export type Checkout = Awaited<ReturnType<typeof createCheckout>>
