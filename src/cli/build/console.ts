import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { projectFolder } from '../project-folder.ts'
import { replaceFile } from './replace-file.ts'

/** Files of an earlier build are deleted after this time: a page that is open may still load them. */
const keptMs = 3_600_000

/** Builds the console: its page, and scripts and styles whose names change with their content. */
export async function writeConsole(folder = resolve(projectFolder, 'public/console')): Promise<void> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: { console: 'console/main.tsx' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome123', 'firefox125', 'safari17.5'],
    minify: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    metafile: true,
    write: false,
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
  })
  const names = new Set(outputFiles.map(({ path }) => basename(path)))
  const [, entry] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === 'console/main.tsx') ?? []
  const script = outputFiles.find(({ path }) => /console-\w+\.js$/.test(path))
  if (!entry?.cssBundle || !script) throw new Error('the build of the console has no script or no styles')
  const imported = entry.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path))
  const page = renderPage(basename(script.path), basename(entry.cssBundle), imported)
  const files = [
    ...outputFiles.map(({ path, contents }) => [basename(path), contents] as const),
    ['index.html', page] as const,
  ]
  for (const [name, content] of files) await replaceFile(join(folder, name), content)
  await deleteOld(folder, names)
}

async function deleteOld(folder: string, current: ReadonlySet<string>) {
  for (const name of await readdir(folder)) {
    if (current.has(name) || name === 'index.html') continue
    const file = join(folder, name)
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs > keptMs) await rm(file, { force: true })
  }
}

/** Scripts that the first one imports are loaded with it, not after it. */
const renderPage = (script: string, styles: string, imported: readonly string[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Console</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Crect width='20' height='20' rx='5' fill='%2396380f'/%3E%3Cpath d='M5 6h10M5 10h10M5 14h6' stroke='white' stroke-width='1.6'/%3E%3C/svg%3E">
<link rel="stylesheet" href="/console/${styles}">
<script type="module" src="/console/${script}"></script>
${imported.map((name) => `<link rel="modulepreload" href="/console/${name}">\n`).join('')}</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`

if (import.meta.main) await writeConsole()
