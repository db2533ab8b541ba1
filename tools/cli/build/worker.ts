import { readdir, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { projectFolder } from '../project-folder.ts'
import { replaceFile } from './replace-file.ts'

const service = resolve(projectFolder, 'src/index.ts')

/**
 * Keeps all code that an isolate evaluates at its start in one module. esbuild puts code that several entries share into one module for each
 * combination of entries. A module that is loaded with `import()` is an entry. Here each entry also imports the service, so that all entries share
 * the code that the service needs at its start.
 */
const shareStart: Plugin = {
  name: 'share-start',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const file = resolve(resolveDir, path)
      return kind === 'dynamic-import' && file !== service ? { path: file, namespace: 'lazy' } : undefined
    })
    build.onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({
      contents: `import ${JSON.stringify(service)}; export * from ${JSON.stringify(path)}`,
      resolveDir: projectFolder,
    }))
  },
}

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

/** The modules that are evaluated when an isolate starts: `index.mjs` and its static imports, direct and indirect. */
export function findStartModules<Module extends WorkerModule>(modules: readonly Module[]): Module[] {
  const byName = new Map(modules.map((module) => [module.name, module]))
  const names = new Set(['index.mjs'])
  for (const name of names) {
    const imported = byName.get(name)?.contents.matchAll(/(?:\bfrom|\bimport) ?"\.\/([^"]+)"/g) ?? []
    for (const [, path = ''] of imported) names.add(path)
  }
  return modules.filter(({ name }) => names.has(name))
}

/**
 * Builds the Worker: one module that each isolate evaluates at its start, and one for each `import()`, which an isolate evaluates when it first needs
 * it. wrangler itself would bundle all into one module.
 */
export async function buildWorker(entry = service): Promise<WorkerModule[]> {
  const { outputFiles } = await build({
    absWorkingDir: projectFolder,
    entryPoints: { index: entry },
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
    plugins: [shareStart, refuseDocument],
    minify: true,
    sourcemap: 'linked',
    write: false,
    legalComments: 'none',
    tsconfigRaw: {},
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
