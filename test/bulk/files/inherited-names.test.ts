import { expect, test } from 'vitest'
import { htmlToText } from '../../../src/bulk/files/text/html.ts'
import { createVenue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, toJsonLines, upload } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

/** Names that every object inherits. */
const names = Object.getOwnPropertyNames(Object.prototype)

test('entities of any name stay unless they are known', () => {
  const text = names.map((name) => `&${name};`).join(' ')
  expect(htmlToText(`<p>&amp; ${text}</p>`)).toBe(`& ${text}`)
})

test('headings of any name can be mapped, and the mapping is used for the next file', async () => {
  const venue = await createVenue()
  const file = (title: string) =>
    `Gericht;Preis;${names.join(';')}\n${title};2,40;${names.map((name) => `of ${name}`).join(';')}\n`
  const { body } = await upload(venue, auto, file('Tee'), text)
  const pairs = names.map((name, index) => [name, `metadata.M${index}`])
  const mapped = await venue.post(`/imports/${body.id}/mapping`, { columns: Object.fromEntries(pairs) })
  expect(mapped.status).toBe(200)
  const again = await venue.post(`/imports/${body.id}/mapping`, { menu: { title: 'Day' } })
  const next = (await upload(venue, auto, file('Kaffee'), text)).body
  for (const { reading } of [mapped.body, again.body, next]) {
    const found = reading.columns.slice(2).map(({ name, to }: Record<string, string>) => [name, to])
    expect(found).toEqual(pairs)
  }
  expect(next.reading.remembered).toBe(true)
  await settle(venue, next.id)
  const { body: rows } = await venue.get(`/imports/${next.id}/preview`)
  expect(rows[0].object.metadata).toEqual(
    names.map((name, index) => expect.objectContaining({ key: `M${index}`, value: `of ${name}` })),
  )
})

test('a choice for a heading named __proto__ is checked like any other', async () => {
  const venue = await createVenue()
  const { body } = await upload(venue, auto, 'Gericht;Preis;__proto__\nTee;2,40;x\n', text)
  const choose = async (to: unknown) => {
    const { status, body: found } = await venue.post(
      `/imports/${body.id}/mapping`,
      Object.fromEntries([['columns', Object.fromEntries([['__proto__', to]])]]),
    )
    return [status, ...(found.errors ?? []).map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)]
  }
  expect(await choose(7)).toEqual([422, '/columns/__proto__ invalid_type'])
  expect(await choose('nonsense')).toEqual([422, '/columns/__proto__ invalid_value'])
  expect(await choose('title')).toEqual([200])
  expect(await choose(null)).toEqual([200])
})

test('members of objects in a list are columns, and other objects do not inherit them', async () => {
  const venue = await createVenue()
  const pairs = names.map((name) => [name, `of ${name}`])
  const list = [Object.fromEntries([['title', 'Tea'], ['price', 3], ...pairs]), { title: 'Cake', price: 4 }]
  const { body } = await upload(venue, auto, JSON.stringify(list), text)
  expect(body.reading.kind).toBe('json')
  const samples = body.reading.columns.map(({ name, samples }: { name: string; samples: string[] }) => [name, samples])
  expect(samples.slice(2)).toEqual(names.map((name) => [name, [`of ${name}`]]))
  const columns = Object.fromEntries(names.map((name) => [name, 'metadata.x']).slice(0, 1))
  const { status } = await venue.post(`/imports/${body.id}/mapping`, { columns })
  expect(status).toBe(200)
  await settle(venue, body.id)
  const { body: rows } = await venue.get(`/imports/${body.id}/preview`)
  expect(rows.map(({ object }: { object: object }) => object)).toEqual([
    expect.objectContaining({
      title: 'Tea',
      metadata: [expect.objectContaining({ key: 'x', value: `of ${names[0]}` })],
    }),
    { title: 'Cake', price: 4 },
  ])
})

test('in a line of our own, a member named __proto__ is an issue with mapping=auto, too', async () => {
  const venue = await createVenue()
  const proto = Object.fromEntries([['__proto__', { x: 1 }]])
  const line = (id: string, rest: object) =>
    Object.fromEntries([
      ...Object.entries({ resource: 'products', externalId: id, title: id, price: 3 }),
      ...Object.entries(rest),
    ])
  const lines = toJsonLines([line('A', {}), line('B', proto), line('C', { details: proto })])
  const { id } = await check(venue, auto, lines, text)
  expect(await listIssues(venue, id)).toEqual(['2 /__proto__ unknown_field', '3 /details/__proto__ unknown_field'])
  const strict = await check(venue, '', lines, { 'content-type': 'application/jsonl' })
  expect(await listIssues(venue, strict.id)).toEqual(await listIssues(venue, id))
})

test('ids of a file that objects inherit name their objects', async () => {
  const venue = await createVenue()
  const lines = names.map((name) => ({ resource: 'products', externalId: name, title: name, price: 3 }))
  const done = await importFile(venue, auto, toJsonLines(lines), text)
  expect(done).toMatchObject({ created: names.length, failed: 0 })
  expect(await importFile(venue, auto, toJsonLines(lines), text)).toMatchObject({ unchanged: names.length, created: 0 })
})
