import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { maxDetailBytes, maxLanguages } from '../../../../src/catalogue/resource/details/details-definition.ts'
import { toIssues } from '../../../support/api.ts'
import { createProduct, full, toDetailsPath, useVenue, venue } from './detailed-objects.ts'

useVenue()

describe('limits', () => {
  test('a name in translations is a language, given once', async () => {
    const path = toDetailsPath(await createProduct())
    const title = { title: 'x' }
    const names = { english: title, en_GB: title, '': title, 'de-at': title, 'de-AT': title, 'zh-hant-TW': title }
    expect(toIssues(await venue.post(path, { translations: names }))).toEqual([
      '/translations/ invalid_format',
      '/translations/de-AT duplicate',
      '/translations/en_GB invalid_format',
      '/translations/english invalid_format',
    ])
    expect((await venue.post(path, { translations: { 'zh-hant-tw': title } })).body).toEqual({
      translations: { 'zh-Hant-TW': title },
    })
  })

  test(`an object has at most ${maxLanguages} languages, also after a merge`, async () => {
    const path = toDetailsPath(await createProduct())
    const name = (index: number) => `a${String.fromCharCode(97 + (index % 26))}${index < 26 ? 'a' : 'b'}`
    const languages = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, index) => [name(from + index), { title: 'x' }]))
    const first = await venue.post(path, { translations: languages(0, maxLanguages) })
    expect([first.status, Object.keys(first.body.translations).length]).toEqual([200, maxLanguages])
    const another = languages(maxLanguages, maxLanguages + 1)
    expect(toIssues(await venue.post(path, { translations: another }))).toEqual(['/translations too_many'])
    const swapped = await venue.post(path, { translations: { ...another, [name(0)]: null } })
    expect(swapped.status).toBe(200)
  })

  test('all languages of an object together have at most 1 MiB', async () => {
    const sections = Array.from({ length: 50 }, (_, index) => ({ title: `${index}` }))
    const { body } = await venue.post('/menus', { title: 'Long', sections })
    const ids: string[] = body.sections.map(({ id }: { id: string }) => id)
    const path = `/menus/${body.id}/details`
    const toTexts = (length: number) => Object.fromEntries(ids.map((id) => [id, { description: 'x'.repeat(length) }]))
    const add = (language: string, length: number) =>
      venue.post(path, { translations: { [language]: { sections: toTexts(length) } } })
    for (const language of ['de', 'fr', 'it', 'es']) expect((await add(language, 5_000)).status).toBe(200)
    expect(toIssues(await add('pt', 5_000))).toEqual(['/translations too_long'])
    const size = (await env.DB.prepare(
      `select sum(length(texts)) as n from translations where object = (select seq from menus where id = ?) and resource = 'menus'`,
    )
      .bind(body.id)
      .first<number>('n')) as number
    // 20 bytes for `{"translations":{}}`, and a name, quotes and a comma for each language.
    const now = JSON.stringify((await venue.get(path)).body).length
    expect(now).toBeGreaterThan(size)
    const more = JSON.stringify({ pt: { title: '' } }).length - 1
    const room = maxDetailBytes - now - more
    const fill = (bytes: number) => ({
      description: 'x'.repeat(Math.min(bytes, 5_000)),
    })
    // The rest is filled section by section, to the byte.
    const texts: Record<string, { description: string }> = {}
    let left = room - JSON.stringify({ sections: {} }).length
    for (const id of ids) {
      const frame = JSON.stringify({ [id]: { description: '' } }).length - 1
      if (left <= frame + 10) break
      texts[id] = fill(left - frame)
      left -= frame + (texts[id]?.description.length ?? 0)
    }
    const title = 'x'.repeat(Math.max(1, left % 200))
    const exact = async (length: number) =>
      venue.post(path, { translations: { pt: { title: 'x'.repeat(length), sections: texts } } })
    const made = await exact(title.length)
    expect(made.status).toBe(200)
    const over = maxDetailBytes - JSON.stringify(made.body).length
    expect(over).toBeLessThan(250)
    const at = await exact(title.length + over)
    expect([at.status, JSON.stringify(at.body).length]).toEqual([200, maxDetailBytes])
    expect(toIssues(await exact(title.length + over + 1))).toEqual(['/translations too_long'])
  })

  test('all issues are reported at once', async () => {
    const path = toDetailsPath(await createProduct())
    const body = { nutrition: { fat: -1 }, ageLimit: 0, colour: 'red', translations: { fr: { text: 'x' } } }
    expect(toIssues(await venue.post(path, body))).toEqual([
      '/ageLimit too_small',
      '/colour unknown_field',
      '/nutrition/fat too_small',
      '/translations/fr/text unknown_field',
    ])
    expect(toIssues(await venue.post(path, { nutrition: { fat: 1 } }))).toEqual(['/nutrition/basis required'])
  })
})

test('damaged details are reported, not ignored', async () => {
  const id = await createProduct()
  await venue.post(toDetailsPath(id), full)
  await env.DB.prepare(
    `update details set data = '{"ageLimit":"old"}' where resource = 'products' and object = (select seq from products where id = ?)`,
  )
    .bind(id)
    .run()
  expect((await venue.get(toDetailsPath(id))).body.code).toBe('damaged')
  expect((await venue.get(`/products/${id}?include=details`)).body.code).toBe('damaged')
  expect((await venue.get(`/products/${id}`)).status).toBe(200)
  expect((await venue.post(toDetailsPath(id), { ageLimit: 1 })).body.code).toBe('damaged')
  // Deleting the product removes the damage.
  expect((await venue.remove(`/products/${id}`)).status).toBe(200)
})
