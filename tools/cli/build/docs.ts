import { readdir, readFile, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import scalar from '@scalar/fastify-api-reference'
import * as z from 'zod'
import { cleanPicture } from '../../../src/storefront/media/formats/picture.ts'
import { packNames, toPackFile } from '../../../src/storefront/print/scripts/font-pack.ts'
import { buildFiles } from '../../openapi/build.ts'
import { otherGuides, renderGuides } from '../../openapi/site/guides.ts'
import { drawPlate } from '../../openapi/site/plate-picture.ts'
import { renderSearchIndex } from '../../openapi/site/search/search-index.ts'
import { writePaperFonts } from '../fonts/paper-fonts.ts'
import { writeWebFonts } from '../fonts/web-fonts.ts'
import { projectFolder } from '../project-folder.ts'
import { replaceFile } from './replace-file.ts'

/** Draws only font packs that are missing or outdated, because drawing takes seconds. */
async function writeFontPacks(folder: string): Promise<void> {
  const source = await stat(resolve(import.meta.dirname, '../fonts/font-packs.ts'))
  for (const name of packNames) {
    const file = join(folder, toPackFile(name))
    const known = await stat(file).catch(() => undefined)
    if (known && known.mtimeMs > source.mtimeMs) continue
    const { buildFontPack } = await import('../fonts/font-packs.ts')
    await replaceFile(file, JSON.stringify(buildFontPack(name)))
    await utimes(file, new Date(), new Date())
  }
}

/** Builds the static assets from the declarations: the documentation, and the texts and fonts of prints. */
export async function writeDocs(folder = resolve(projectFolder, 'public')): Promise<void> {
  await writeFontPacks(folder)
  if (await writeWebFonts(join(folder, 'fonts'))) await writePaperFonts(join(folder, 'fonts'))
  const files = { ...(await buildFiles()), ...(await buildGuides()), 'reference.js': readReference(), ...drawPlates() }
  const search = { 'sections.js': renderSearchIndex(files) }
  for (const [name, content] of Object.entries({ ...files, ...search })) await replaceFile(join(folder, name), content)
}

/** The picture of links to venues without a picture, in the size of previews of links; and the icons of menus on home screens. */
const drawPlates = () => ({
  'plate.png': drawPlate(1200, 630, 0.7),
  'icon-192.png': drawPlate(192, 192, 0.8),
  'icon-512.png': drawPlate(512, 512, 0.8),
})

/** The guides: the Markdown of `docs/` as pages, and its pictures. */
async function buildGuides(): Promise<Readonly<Record<string, string | Uint8Array>>> {
  const docs = resolve(projectFolder, 'docs')
  const names = await readdir(docs)
  const read = async (file: string) => readFile(resolve(projectFolder, file), 'utf8')
  const sources = [
    ...names
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name.slice(0, -'.md'.length), `docs/${name}`] as const),
    ...Object.entries(otherGuides),
  ]
  const recipes = (await readdir(join(docs, 'recipes'), { recursive: true })).filter((path) => /\/\w+\.\w+$/.test(path))
  const guides = await renderGuides(
    Object.fromEntries(await Promise.all(sources.map(async ([name, file]) => [name, await read(file)] as const))),
    Object.fromEntries(
      await Promise.all(recipes.map(async (path) => [path, await read(`docs/recipes/${path}`)] as const)),
    ),
  )
  const used = names.filter(
    (name) => /\.(?:png|jpg)$/.test(name) && Object.values(guides).some((page) => page.includes(name)),
  )
  const pictures = await Promise.all(
    used.map(async (name) => ({ name, bytes: new Uint8Array(await readFile(join(docs, name))) })),
  )
  return {
    ...Object.fromEntries(Object.entries(guides).map(([name, page]) => [name, withSizes(page, pictures)])),
    ...Object.fromEntries(pictures.map(({ name, bytes }) => [`guide-${name}`, bytes])),
  }
}

/** A page with the width and height of its pictures, so that the layout does not move when they load. */
const withSizes = (page: string, pictures: readonly { name: string; bytes: Uint8Array }[]) =>
  pictures.reduce((sized, { name, bytes }) => {
    const { width, height } = cleanPicture(bytes) ?? {}
    const source = `src="/docs/guides/${name}"`
    return sized.replaceAll(source, `${source} width="${width}" height="${height}"`)
  }, page)

interface Route {
  url: string
  handler(request: object, reply: object): void
}

/**
 * The script that renders the API reference. Its own package installs 240 MB; the Fastify plugin contains the same script in one file
 * and serves it to every object with Fastify's interface.
 */
function readReference(): string {
  const routes: Route[] = []
  const fastify = { hasPlugin: () => false, initialConfig: {}, route: (route: Route) => routes.push(route) }
  scalar(fastify, { configuration: { url: '/openapi.json' } }, () => {})
  const sent: unknown[] = []
  const reply = { header: () => reply, send: (content: unknown) => sent.push(content) }
  routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply)
  return z.string().includes('createApiReference').parse(sent[0])
}

if (import.meta.main) await writeDocs()
