import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readTexts } from '../../../console/texts/data.ts'
import { start as startDe } from '../../../console/texts/de/start.ts'
import { texts as de } from '../../../console/texts/de.ts'
import { texts as en } from '../../../console/texts/en.ts'
import { writeTexts } from '../../../tools/cli/build/console-texts.ts'

/** Replaces the places of texts with values, as the browser does. */
const samples = [
  [0, 2, 3],
  [1, 2, 3],
  [7, 'b', 'c'],
  ['7+', 1, 0],
  ['a', 'b', 'c'],
]
const render = (texts: object) =>
  JSON.parse(
    JSON.stringify(texts, (_, value) => (typeof value === 'function' ? samples.map((each) => value(...each)) : value)),
  )

test.each([
  ['English', en],
  ['German', de],
])('%s texts are the same in the file that the browser loads', (_language, texts) => {
  const json = writeTexts(texts)
  expect(json).toContain('{0}')
  expect(render(readTexts<object>(json))).toEqual(render(texts))
})

test('German texts say du to everybody', () => {
  const texts = writeTexts({ startDe, de })
  expect(texts).toContain('du')
  // At the beginning of a sentence, the same words mean several things or people.
  expect(texts.match(/[^"]*[a-zäöüß,] (?:Sie|Ihr(?:e[mnrs]?)?|Ihnen)\b[^"]*/g)).toBeNull()
})

test('a remedy is that of a message of the service', async () => {
  let all = ''
  for await (const path of glob('src/**/*.ts')) all += await readFile(path, 'utf8')
  const toPattern = (message: string) =>
    new RegExp(`['\`]${message.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('#', '(?:\\$\\{[^}]+\\}|\\d+)')}['\`]`)
  expect(Object.keys(en.remedy).filter((message) => !toPattern(message).test(all))).toEqual([])
})

test('every field of an object has a name in messages about changes', async () => {
  const file = resolve(import.meta.dirname, '../../../public/openapi.json')
  const { components } = JSON.parse(await readFile(file, 'utf8'))
  const bodies = Object.entries<{ properties?: object }>(components.schemas).filter(([name]) =>
    /^(?:Product|Modifier|Menu|Coupon|Customer|Tag)(?:Details|Limits)?Update$|^AvailabilityUpdate$/.test(name),
  )
  expect(bodies).toHaveLength(12)
  const fields = bodies.flatMap(([, { properties = {} }]) => Object.keys(properties))
  expect(fields.filter((field) => !Object.hasOwn(en.history.fields, field))).toEqual([])
})

test('a text has forms for 0, 1 and other numbers', () => {
  const count = (value: number | string) => (value === 0 ? 'none' : value === 1 ? 'one of {these}' : `${value} of them`)
  const { count: read } = readTexts<{ count: typeof count }>(writeTexts({ count }))
  expect([0, 1, 2, '1+'].map(read)).toEqual(['none', 'one of {these}', '2 of them', '1+ of them'])
})
