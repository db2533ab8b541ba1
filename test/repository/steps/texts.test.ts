import { describe, expect, test } from 'vitest'
import { countSteps, requireLinear } from '../../support/count-steps.ts'

const { createClock, cacheClock, getNextChange } = await import('../../../src/platform/lib/opening-hours.ts')
const { createMatcher, indexTerms, matchExpression } = await import('../../../src/platform/lib/search-terms.ts')
const { parseLanguage } = await import('../../../src/platform/lib/languages/language-tag.ts')
const { readFormParts } = await import('../../../src/storefront/media/form-parts.ts')
const { readMembers } = await import('../../../src/platform/http/exact-json.ts')

describe('the steps of opening hours grow with the menus', () => {
  const toTime = (minute: number) =>
    `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}${String(minute % 60).padStart(2, '0')}`
  const toDate = (day: number) => new Date(Date.UTC(2027, 0, 4 + 7 * day)).toISOString().slice(0, 10)
  test.each([
    ['that open each day', {}],
    // A Monday, but the menu is served on Tuesdays only: nothing ever changes, and all days and hours are searched.
    ['that never open', { days: ['tue'] as const }],
  ])('%s', async (_, days) => {
    const create = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        allDayMenu: false,
        begin: toTime(13 * index),
        end: toTime(13 * index + 7),
        ...days,
        ...('days' in days ? { dates: { from: toDate(index), until: toDate(index) } } : {}),
      }))
    // The clock module caches times: each run has a clock of its own.
    const find = (openings: ReturnType<typeof create>) =>
      getNextChange(openings, cacheClock(createClock('Europe/Berlin')), 1_790_000_000)
    await requireLinear(create, find, 6)
  })
})

describe('the steps of a text grow with its length', () => {
  test.each([
    ['words', 'tea '],
    ['Chinese letters', '料理'],
    ['punctuation', '%'],
    ['accents', 'é'],
  ])('in search terms: %s', async (_, text) => {
    // Numbers of the same length: words from five letters on have more terms.
    const create = (count: number) => Array.from({ length: count }, (_, index) => `${text}${index + 10_000} `).join('')
    await requireLinear(create, (all) => indexTerms('mer_123456', 'l', { names: [all] }), 200)
    await requireLinear(create, (all) => matchExpression('mer_123456', 'l', all), 200)
    await requireLinear(create, (all) => createMatcher(all)?.({ names: [all] }), 600)
  })

  test.each([
    ['members', (count: number) => `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join()}}`],
    ['one name again and again', (count: number) => `{${Array(count).fill('"a":1').join()}}`],
    ['elements', (count: number) => `{"a":[${Array(count).fill(0).join()}]}`],
    ['escapes', (count: number) => `{"a":"${'\\u0041\\"'.repeat(count)}"}`],
    ['blanks', (count: number) => `{${' '.repeat(count)}"a"${'\n'.repeat(count)}:1}`],
    ['digits', (count: number) => `{"a":${'1'.repeat(count)}}`],
  ])('in JSON bodies: %s', async (_, create) => {
    const read = (text: string) => {
      try {
        readMembers(text)
      } catch (error) {
        if (!(error instanceof Error)) throw error
      }
    }
    await requireLinear(
      async (count) => [create(count), count] as const,
      ([text, count]) => {
        read(text)
        // The steps of a single regular expression cannot be counted.
        for (let step = 0; step < count; step++) parseLanguage('en')
      },
      500,
    )
  })

  test('in parts of a form', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'
    const create = (count: number) =>
      Uint8Array.from(`${part.repeat(count)}--b--\r\n`, (letter) => letter.charCodeAt(0))
    expect(readFormParts(create(3), 'b')).toHaveLength(3)
    await requireLinear(create, (body) => readFormParts(body, 'b'), 1_000)
  })

  test('a language tag that is too long takes no more steps than one that is not', async () => {
    const tags = [`en${'-abcde'.repeat(4)}`, `en${'-abcde'.repeat(40_000)}`, 'a'.repeat(100_000)]
    expect(tags.map(parseLanguage)).toEqual([undefined, undefined, undefined])
    for (const tag of tags) expect(await countSteps(() => parseLanguage(tag))).toBeLessThan(10)
  })
})
