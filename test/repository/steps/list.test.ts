import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { exempt, stepTests } from './parsers-and-renderers.ts'

const root = resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')

/** Names of functions that read, draw or set input of any size. */
const verbs =
  /^export (?:async )?(?:function\*? |const )((?:parse|read|render|clean[A-Z]|draw|trace|decode|inflate|split|index|match|inline|shape|fit|measure|createPdf|createSymbol|getLevels|getNextChange|getPaper|toJsonLd|toMenuData|toPng|toPublicMenu|toSvg|toLines|toParts|toVisual)\w*)/gm
/** Folders whose files parse or render what clients and guests send. */
const rooms =
  'src/{bulk/{csv,files,files/*,files/table/columns,files/table/rows,import/auto,import/rows,import/upload},platform/{http,http/bodies,lib,lib/*},storefront/{media,media/formats,menu,menu/page,menu/page/structured-data,print,print/*,qr,tags/nfc},tenancy/backup/restore}/*.ts'
const found = globSync(rooms, { cwd: root })
  .flatMap((file) => [...read(file).matchAll(verbs)].map(([, name = '']) => `${file.slice('src/'.length)} ${name}`))
  .sort()

const imported = /(?:\bfrom |\bimport\()'(\.[^']*\.ts)'/g
/** The files that a file imports, directly or through others. */
function listImported(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || !existsSync(resolve(root, file))) return seen
  seen.add(file)
  for (const [, path = ''] of read(file).matchAll(imported)) listImported(join(dirname(file), path), seen)
  return seen
}

test('each parser and renderer has a test of its steps, or a reason why it needs none', () => {
  const listed = [...Object.values(stepTests).flat(), ...Object.keys(exempt)].sort()
  expect(found.length).toBeGreaterThan(50)
  expect(listed).toEqual(found)
})

test.each(Object.entries(stepTests))('%s imports what it is said to measure', (name, functions) => {
  const file = `test/repository/steps/${name}.test.ts`
  expect(read(file)).toMatch(/requireLinear|countSteps|searched/)
  const files = listImported(file)
  expect(functions.filter((each) => !files.has(`src/${each.split(' ')[0]}`))).toEqual([])
})
