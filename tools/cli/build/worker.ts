import { readdir, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { projectFolder } from '../project-folder.ts'
import { loadGroups, planLazyGroups } from './lazy-groups.ts'
import { replaceFile } from './replace-file.ts'

const service = resolve(projectFolder, 'src/index.ts')

/** Files that describe the operations of routes, and what they share. Only `tools/openapi` imports them. */
export const documentFiles = /\/src\/(?:.*\.operations|platform\/http\/openapi\/.*)\.ts$/

/** Fails a build that would deploy one of them. */
const refuseDocument: Plugin = {
  name: 'refuse-document',
  setup(build) {
    build.onLoad({ filter: documentFiles }, ({ path }) => ({
      errors: [{ text: `${path} is for the OpenAPI document and must not be deployed.` }],
    }))
  },
}

/** A module of a built Worker. */
export interface WorkerModule {
  name: string
  contents: string
}

/** A module and its static imports, direct and indirect. */
export function listEvaluated<Module extends WorkerModule>(modules: readonly Module[], entry: string): Module[] {
  const byName = new Map(modules.map((module) => [module.name, module]))
  const names = new Set([entry])
  for (const name of names) {
    const imported = byName.get(name)?.contents.matchAll(/(?:\bfrom|\bimport) ?"\.\/([^"]+)"/g) ?? []
    for (const [, path = ''] of imported) names.add(path)
  }
  return modules.filter(({ name }) => names.has(name))
}

/** The modules that are evaluated when an isolate starts. */
export const findStartModules = <Module extends WorkerModule>(modules: readonly Module[]): Module[] =>
  listEvaluated(modules, 'index.mjs')

const common = {
  absWorkingDir: projectFolder,
  outdir: 'dist/worker',
  bundle: true,
  splitting: true,
  // The extension is not `.js`, because the tests treat all such files as modules of the Worker.
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  loader: { '.sql': 'text' },
  write: false,
  legalComments: 'none',
  tsconfigRaw: {},
} as const satisfies BuildOptions

/**
 * Builds the Worker: one module that each isolate evaluates at its start, and one for each group of code that an isolate evaluates when it first
 * needs it. wrangler itself would bundle all into one module, and esbuild would make a module of each combination of importers.
 */
export async function buildWorker(entry = service): Promise<WorkerModule[]> {
  const plugins = [refuseDocument]
  const { metafile } = await build({ ...common, entryPoints: { index: entry }, plugins, metafile: true })
  const { outputFiles } = await build({
    ...common,
    entryPoints: { index: entry },
    plugins: [loadGroups(service, planLazyGroups(metafile, service)), ...plugins],
    minify: true,
    sourcemap: 'linked',
  })
  return outputFiles.map(({ path, text }) => ({ name: basename(path), contents: text }))
}

/** Writes the Worker to the path in `wrangler.toml`. Other processes may be reading the previous one. */
export async function writeWorker(folder = resolve(projectFolder, 'dist/worker')): Promise<void> {
  const modules = await buildWorker()
  // The entry comes last, because it names the others.
  const inOrder = [...modules].sort((a, b) => Number(a.name === 'index.mjs') - Number(b.name === 'index.mjs'))
  for (const { name, contents } of inOrder) await replaceFile(join(folder, name), contents)
  // wrangler uploads every module of the folder.
  const names = new Set(modules.map(({ name }) => name))
  for (const name of await readdir(folder)) if (!names.has(name)) await rm(join(folder, name), { force: true })
}

if (import.meta.main) await writeWorker()
