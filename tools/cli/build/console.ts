import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { projectFolder } from '../project-folder.ts'
import { nameShared, shorten } from './console-names.ts'
import { listImported, planSharing, textFiles } from './console-parts.ts'
import { writeTexts } from './console-texts.ts'
import { tokenStyles } from './console-tokens.ts'
import { replaceFile } from './replace-file.ts'

/** Time after which files of an earlier build are deleted. Until then, an open page may still load them. */
const keptMs = 3_600_000

const main = 'console/main.ts'
const frame = 'console/app/frame/frame.tsx'

/** Builds the console: its page, and scripts and styles whose names change with their content. */
export async function writeConsole(folder = resolve(projectFolder, 'public/console')): Promise<void> {
  const options = {
    absWorkingDir: projectFolder,
    entryPoints: { console: main },
    publicPath: '/console',
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome123', 'firefox125', 'safari17.5'],
    minifyWhitespace: true,
    minifySyntax: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    legalComments: 'none',
    // Saves 0.8 KB in total compared with the automatic runtime.
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: ['console/jsx.ts'],
    tsconfigRaw: {},
    plugins: [textFiles, tokenStyles],
    // The service serves the fonts of pages and of the console from one place.
    external: ['/fonts/*'],
  } satisfies BuildOptions
  const shareModules = await planSharing(options, projectFolder, main, frame)
  const { outputFiles, metafile } = await build({
    ...options,
    plugins: [shareModules, textFiles, tokenStyles],
    metafile: true,
    write: false,
  })
  const names = new Set(outputFiles.map(({ path }) => basename(path)))
  const entries = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined)
  const [script, entry] = entries.find(([, { entryPoint }]) => entryPoint === main) ?? []
  if (!script || !entry?.cssBundle) throw new Error('the build of the console has no script or no styles')
  const toAddress = (path: string) => `/console/${basename(path)}`
  const first = listImported(metafile.outputs, script)
  const parts = entries
    .filter(([path]) => path !== script)
    .map(([path, { entryPoint = '' }]) => {
      const files = [...listImported(metafile.outputs, path)].filter((file) => !first.has(file))
      return [basename(entryPoint, '.tsx'), files.map(toAddress)] as const
    })
  const page = renderPage({
    script: toAddress(script),
    styles: toAddress(entry.cssBundle),
    imported: [...first].filter((path) => path !== script).map(toAddress),
    parts: Object.fromEntries(parts),
    texts: await readStartTexts(),
  })
  const scripts = outputFiles.flatMap(({ path, text }) =>
    path.endsWith('.js') ? [{ path: toAddress(path), text }] : [],
  )
  const shared = nameShared(scripts)
  for (const { path, contents, text } of outputFiles) {
    await replaceFile(join(folder, basename(path)), path.endsWith('.js') ? await shorten(text, shared) : contents)
  }
  await replaceFile(join(folder, 'index.html'), page)
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

interface Page {
  script: string
  styles: string
  /** Scripts that the first one imports. They are loaded together with it. */
  imported: readonly string[]
  /** Scripts that are loaded later. */
  parts: Readonly<Record<string, readonly string[]>>
  /** Texts of the sign-in, as JSON. */
  texts: string
}

/** Texts of the sign-in by language, as JSON. */
async function readStartTexts(): Promise<string> {
  const tags = ['en', 'de']
  const texts = tags.map(async (tag) => {
    const { start } = await import(resolve(projectFolder, `console/texts/${tag}/start.ts`))
    return [tag, start] as const
  })
  return writeTexts(Object.fromEntries(await Promise.all(texts)))
}

/** A value of an attribute in single quotes. */
const quote = (text: string) => `'${text.replaceAll('&', '&amp;').replaceAll("'", '&#39;')}'`

const renderPage = ({ script, styles, imported, parts, texts }: Page) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Console</title>
<meta name="description" content="Products, menus, tables and orders of a venue.">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Crect width='20' height='20' rx='5' fill='%2396380f'/%3E%3Cpath d='M5 6h10M5 10h10M5 14h6' stroke='white' stroke-width='1.6'/%3E%3C/svg%3E">
<link rel="stylesheet" href="${styles}">
<script type="module" src="${script}"></script>
${imported.map((address) => `<link rel="modulepreload" href="${address}">`).join('\n')}
<meta name="files" content=${quote(JSON.stringify(parts))}>
<meta name="texts" content=${quote(texts)}>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`

if (import.meta.main) await writeConsole()
