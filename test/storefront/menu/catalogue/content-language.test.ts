import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { compile, param } from '../../../../src/platform/db/database.ts'
import { directoryDatabase } from '../../../../src/platform/db/home/d1-connection.ts'
import {
  chooseLanguage,
  chosenLanguage,
  maxContentLanguages,
  toWanted,
  translatedLanguages,
} from '../../../../src/storefront/menu/catalogue/content-language.ts'
import { createVenue } from '../../../support/api.ts'

test.each([
  [['de-AT', 'fr'], ['de-AT', 'de-Latn', 'de', 'fr', 'fr-Latn'], 3],
  [['zh-tw'], ['zh-TW', 'zh-Hant', 'zh'], 3],
  [[undefined, '*', 'x', 'EN', 'en'], ['en', 'en-Latn'], 2],
  [[], [], 0],
])('a guest who wants %j is offered %j', (tags, candidates, preferred) => {
  expect(toWanted(tags)).toEqual({ candidates, preferred })
})

test('at most five languages of a guest are considered', () => {
  expect(toWanted(['de', 'fr', 'es', 'it', 'pt', 'nl']).candidates).not.toContain('nl')
})

const cases: [wanted: string[], own: string | undefined, translations: string[], chosen: string | undefined][] = [
  [['de'], 'en', ['de', 'fr'], 'de'],
  [['de-AT'], 'en', ['de', 'fr'], 'de'],
  [['de'], 'en', ['de-AT', 'de-CH'], 'de-AT'],
  [['en', 'de'], 'en', ['de'], undefined],
  [['en-US', 'de'], 'en-GB', ['de'], undefined],
  [['xx', 'de'], 'en', ['de'], 'de'],
  [['ja'], 'en', ['de'], undefined],
  // The very language comes before one of another country.
  [['de'], 'de-AT', ['de'], 'de'],
  [['de-AT'], 'de-AT', ['de'], undefined],
  [['pt-BR'], 'pt-PT', ['pt-BR'], 'pt-BR'],
  [['pt-BR'], 'pt-PT', ['en'], undefined],
  [['zh-TW'], 'en', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
  [['de'], 'en', ['den'], undefined],
  // Without the language of the venue, only the first one replaces its texts.
  [['fr', 'de'], undefined, ['de'], undefined],
  [['de-CH', 'fr'], undefined, ['de'], 'de'],
  [[], 'en', ['de'], undefined],
]

async function createScope(own: string | undefined, translations: readonly string[]) {
  const { id } = await createVenue(own === undefined ? {} : { language: own })
  await env.DB.batch(
    translations.map((language, object) =>
      env.DB.prepare("insert into translations values (?, 0, 'products', ?, ?, '{}')").bind(id, object, language),
    ),
  )
  return { merchantId: id, testMode: 0 }
}

describe('the language of a menu', () => {
  const statement = compile(
    sql`select ${chosenLanguage} as chosen, ${translatedLanguages} as languages where ${param('merchantId')} <> ''`,
  )
  test.each(cases)('that a guest who wants %j reads, of %s and %j, is %s', async (tags, own, translations, chosen) => {
    const wanted = toWanted(tags)
    expect(chooseLanguage(wanted, { own, translations })).toBe(chosen)
    const values = {
      ...(await createScope(own, translations)),
      ...wanted,
      candidates: JSON.stringify(wanted.candidates),
    }
    const [[row]] = await directoryDatabase(env).run([statement, values])
    expect(row).toEqual({ chosen: chosen ?? null, languages: JSON.stringify(translations) })
  })

  test('is one of at most 100, each read once', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const names = letters.slice(0, 5).flatMap((first) => letters.map((second) => `${first}${second}`))
    const { merchantId } = await createScope('en', names)
    const { sql: text, parameters } = compile(sql`select ${translatedLanguages} as languages`)
    const values = parameters.map(({ name }) => (name === 'merchantId' ? merchantId : 0))
    const { results, meta } = await env.DB.prepare(text)
      .bind(...values)
      .all<{ languages: string }>()
    expect(JSON.parse(results[0]?.languages ?? '')).toEqual(names.slice(0, maxContentLanguages))
    expect(meta.rows_read).toBeLessThan(3 * maxContentLanguages)
  })
})
