import { cpSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { dataFolder } from '../support/service.ts'

const project = resolve(import.meta.dirname, '../..')
const parts = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'wrangler.toml',
  '.dev.vars.example',
  'migrations',
  'src',
  'tools',
  'console',
  'packages',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CODE_OF_CONDUCT.md',
]

/**
 * A fresh clone of the project in a folder of its own. It shares the installed packages. With `isBuilt` it contains what a first start
 * builds. `reset` makes it fresh again, in the same folder: Node then knows the compiled form of its files.
 */
export async function createCheckout({ isInstalled = true, isBuilt = false } = {}) {
  const folder = await mkdtemp(join(dataFolder, 'checkout-'))
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  const filter = (path: string) => !/[/\\](?:dist|\.wrangler)$/.test(path)
  async function fill() {
    // `cp` takes twice the CPU time for many files.
    for (const part of parts) cpSync(join(project, part), join(folder, part), { recursive: true, filter })
    if (isBuilt)
      for (const part of ['dist', 'public']) cpSync(join(project, part), join(folder, part), { recursive: true })
    // Drawing the fonts takes seconds. They are newer than the sources, so that they stay.
    const fonts = (await readdir(join(project, 'public'))).filter((name) => name.startsWith('font-'))
    await mkdir(join(folder, 'public'), { recursive: true })
    for (const name of fonts) cpSync(join(project, 'public', name), join(folder, 'public', name))
    if (isInstalled) await symlink(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction')
  }
  await fill()
  return {
    folder,
    path: (...names: readonly string[]) => join(folder, ...names),
    async reset() {
      await remove()
      await fill()
    },
    remove,
  }
}
export type Checkout = Awaited<ReturnType<typeof createCheckout>>
