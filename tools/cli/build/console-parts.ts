import { resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { writeTexts } from './console-texts.ts'

/** Writes the texts of a language, imported as `…/en.ts?data`, into a JSON file. The import returns its address. */
export const textFiles: Plugin = {
  name: 'text-files',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts\?data$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(/\.ts\?data$/, '.json')),
      namespace: 'texts',
    }))
    onLoad({ filter: /\.json$/, namespace: 'texts' }, async ({ path }) => {
      const { texts } = await import(path.replace(/json$/, 'ts'))
      return { contents: writeTexts(texts), loader: 'file' }
    })
  },
}

interface Part {
  imports: readonly { path: string; kind: string }[]
}

/** The static imports of a module or a file, itself included. Leaves out modules that it loads with `import()`. */
export function listImported(parts: Readonly<Record<string, Part>>, entry: string): Set<string> {
  const found = new Set<string>()
  const collect = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    for (const each of parts[path]?.imports ?? []) if (each.kind === 'import-statement') collect(each.path)
  }
  collect(entry)
  return found
}

/**
 * Creates a file for each module that is loaded by `import()`. One more file contains `frame`, which is loaded before the others, and the code that
 * two of them share. By default, esbuild creates a file for each combination of modules that share code: 50 instead of 16.
 */
export async function planSharing(options: BuildOptions, root: string, main: string, frame: string): Promise<Plugin> {
  const { metafile } = await build({ ...options, metafile: true, write: false })
  if (!metafile) throw new Error('the build has no list of its modules')
  const lazy = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
  )
  const first = listImported(metafile.inputs, main)
  const uses = [...new Set(lazy)].flatMap((entry) => [...listImported(metafile.inputs, entry)])
  const always = new Set([...first, ...listImported(metafile.inputs, frame)])
  const counts = Map.groupBy(uses, (path) => path)
  const shared = [...counts]
    .filter(([path, { length }]) => /^(?:console|packages)\/.*\.tsx?$/.test(path) && (length > 1 || always.has(path)))
    .map(([path]) => path)
  // The first script contains nothing but styles, so that it takes no names from another file.
  const started = [...first].filter((path) => /^console\/.*\.tsx?$/.test(path) && path !== main)
  const common = [...new Set([...started, ...shared])]
  return {
    name: 'share-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
        if (kind === 'dynamic-import') return { path: resolve(resolveDir, path), namespace: 'part' }
        if (path === 'shared') return { path, namespace: 'shared' }
        // Includes modules without side effects: otherwise esbuild leaves out an import without names.
        return /^[./].*\.tsx?$/.test(path) ? { path: resolve(resolveDir, path), sideEffects: true } : undefined
      })
      onLoad({ filter: /./, namespace: 'part' }, ({ path }) => {
        const target = JSON.stringify(path)
        return {
          contents: `import 'shared'; export * from ${target}; export { default } from ${target}`,
          resolveDir: root,
        }
      })
      onLoad({ filter: /./, namespace: 'shared' }, () => ({
        contents: common.map((path) => `import ${JSON.stringify(resolve(root, path))}`).join('\n'),
        resolveDir: root,
      }))
    },
  }
}
