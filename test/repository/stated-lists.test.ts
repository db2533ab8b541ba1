import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { exportOrder } from '../../src/bulk/export/exported-resource.ts'
import { eventNames } from '../../src/catalogue/events/event-types.ts'
import { defaultScopes, scopes } from '../../src/platform/auth/api-keys.ts'
import { feedTypes } from '../../src/webhooks/events/feed-query.ts'
import { lists } from '../../tools/cli/loader/catalogue-file.ts'
import { buildBrunoCollection, buildFiles, buildGuides } from '../../tools/openapi/build.ts'

/** The text of a page, without line breaks. */
const read = (page: string) =>
  readFileSync(resolve(import.meta.dirname, '../../docs', page), 'utf8').replaceAll('\n', ' ')
const namesIn = (text: string) => text.match(/\w+/g)

test('the stated order of an export is that of its lines', () => {
  const [, stated = ''] =
    /An object comes after the objects that it refers to: ([^.]*)\./.exec(read('import-export.md')) ?? []
  expect(namesIn(stated)).toEqual(exportOrder.map(({ path }) => path))
})

test('the stated order of the lists of a catalogue file is that in which they are loaded', () => {
  const [, stated = ''] = /The seven lists are ([^.]*)\./.exec(read('catalogue-files.md')) ?? []
  expect([...stated.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(lists)
})

test('/event-types has all types that a webhook can name; the guide names the types of the log that it lacks', async () => {
  const entries: { type: string }[] = JSON.parse((await buildFiles())['event-types.json'] ?? '')
  const types = entries.map(({ type }) => type)
  expect([...types].sort()).toEqual([...eventNames].sort())
  const [, lacking = ''] =
    /`GET \/event-types` lists.*?\. The list does not contain (`webhook[^,]*), which only/.exec(read('webhooks.md')) ??
    []
  const named = [...lacking.matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, type]) => type)
  expect(named).toEqual(feedTypes.filter((type) => !types.includes(type)))
})

test('the table of scopes has all of them, and says which a key without a list has', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/authentication.md'), 'utf8')
  const [, table = ''] = /\n## Scopes\n[\s\S]*?\| --- \| --- \| --- \|\n((?:\|.*\n)+)/.exec(text) ?? []
  const rows = table.split('\n').map((row) => row.split('|'))
  const listNames = (isDefault: boolean) =>
    rows.flatMap(([, names = '', , given = '']) =>
      given.trim().startsWith('yes') === isDefault ? [...names.matchAll(/`(\w+)/g)].map(([, name]) => name) : [],
    )
  const toNames = (list: readonly string[]) => [...new Set(list.map((scope) => scope.split(':')[0]))].sort()
  const given = new Set<string>(defaultScopes)
  expect(listNames(true).sort()).toEqual(toNames(defaultScopes))
  expect(listNames(false).sort()).toEqual(toNames(scopes.filter((scope) => !given.has(scope))))
})

test('the generated guides match the declarations; `npm run models` writes them', () => {
  for (const [name, text] of Object.entries(buildGuides()))
    expect(readFileSync(resolve(import.meta.dirname, '../../docs', name), 'utf8')).toBe(text)
})

test('the guide names the kinds of requests that the collection for Bruno lacks', async () => {
  const { paths } = JSON.parse((await buildFiles())['openapi.json'] ?? '')
  const requests = Object.keys(buildBrunoCollection())
  const operations = Object.values<
    Record<string, { operationId?: string; security?: object[]; requestBody?: { content: object } }>
  >(paths).flatMap((item) => Object.values(item))
  const lacking = operations.filter(
    ({ operationId, security = [] }) =>
      security.some((scheme) => 'key' in scheme || 'operator' in scheme) &&
      !requests.some((name) => name.endsWith(`/${operationId}.bru`)),
  )
  const kinds = new Map([
    ['image/jpeg', 'pictures'],
    ['text/csv', 'imports'],
    ['application/gzip', 'backups'],
  ])
  const found = lacking.map(({ requestBody }) => kinds.get(Object.keys(requestBody?.content ?? {})[0] ?? ''))
  const [, stated = ''] = /Uploads of ([\w, ]+) have a file as body and are not in it/.exec(read('client.md')) ?? []
  expect([...new Set(found)]).toEqual(stated.split(/, | and /))
})
