import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteClosedMerchants, deletionDelaySeconds } from '../../src/admin/delete-closed.ts'
import { merchantUpdateRules } from '../../src/admin/merchant-schemas.ts'
import { directoryDatabase } from '../../src/platform/db/home/d1-connection.ts'
import { adminToken, call, createKey, createVenue, toIssues } from '../support/api.ts'
import { mark, marker } from '../support/marker.ts'
import { moveTo } from '../support/moves.ts'
import { admin, advance, backUp, restore } from '../tenancy/backup/restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => vi.useRealTimers())

test('every field of a merchant is shown to its keys, moved, and restored after the deletion of its data', async () => {
  const marked = Object(mark(merchantUpdateRules.schema))
  const values: Record<string, unknown> = {
    pricesIncludeTax: false,
    hoursClose: false,
    timezone: 'Europe/Lisbon',
    currency: 'EUR',
    orderingUrl: 'https://order.example/Qzmarker',
    sandboxUrl: 'https://order.example/Qzmarker/test',
    dayStartsAt: '0517',
    language: 'pt-PT',
    logo: 'https://order.example/Qzmarker.png',
    color: '#123456',
    phone: '+351 77',
    website: 'https://order.example/Qzmarker',
    destinationHosts: ['qzmarker.example'],
  }
  // Only the venue sets it: test/admin/account/support.
  const { supportAccess, ...ofOperator } = marked
  const fields = { ...ofOperator, ...values, address: { ...marked.address, country: 'PT' } }
  fields.menuBar = { ...fields.menuBar, requireTap: true }
  fields.openingHours = [{ ...fields.openingHours[0], opens: '0517', closes: '2342' }]
  fields.specialHours = [{ ...fields.specialHours[0], opens: '0518', closes: '2343' }]
  const venue = await createVenue()
  const find = async () => (await call('GET', `/admin/merchants/${venue.id}`, adminToken)).body
  expect((await call('POST', `/admin/merchants/${venue.id}`, adminToken, fields)).status).toBe(200)
  const manager = await createKey(venue.id, { mode: 'live', scopes: ['merchant:write'] })
  expect((await manager.post('', { supportAccess })).status).toBe(200)
  const shown = await find()
  expect(shown.supportAccess).toBe(supportAccess)
  expect(shown).toMatchObject(fields)
  expect(JSON.stringify(shown.notes)).toBe(JSON.stringify([{ text: marker, translations: { fr: { text: marker } } }]))
  const { key } = await createKey(venue.id, { mode: 'live', scopes: ['merchant:read'] })
  const findOwn = async () => (await call('GET', `/merchants/${venue.id}`, key)).body
  expect(await findOwn()).toMatchObject(fields)
  const names = ['supportAccess', ...Object.keys(fields)]
  const pick = (merchant: Record<string, unknown>) => names.map((name) => merchant[name])
  for (const home of ['object', 'd1'] as const) {
    expect((await moveTo(venue.id, home)).state).toBe('done')
    expect(pick(await findOwn())).toEqual(pick(shown))
  }

  const takenAt = await backUp(venue.id)
  await admin(venue.id, 'close', { graceDays: 1 })
  advance(86_400 + deletionDelaySeconds)
  for (let run = 0; run < 5; run++)
    await deleteClosedMerchants(env, directoryDatabase(env), Math.floor(Date.now() / 1000))
  expect((await call('GET', `/admin/merchants/${venue.id}`, adminToken)).status).toBe(404)
  const { results } = await env.DB.prepare('select * from merchants').all()
  expect(JSON.stringify(results)).not.toContain(marker)
  await restore(venue.id, takenAt, {})
  expect(pick(await find())).toEqual(pick(shown))
})

test('a merchant has at most five notes of 500 characters in 30 other languages', async () => {
  const create = (notes: unknown) => call('POST', '/admin/merchants', adminToken, { name: 'Venue', notes })
  const stored = async (notes: unknown) => (await create(notes)).body.notes
  const text = '😀'.repeat(500)
  const translate = (names: readonly string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
  const tags = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'sk', 'hu', 'ro', 'bg', 'el', 'sv', 'da', 'fi', 'et']
  const more = ['lv', 'lt', 'sl', 'hr', 'sr', 'uk', 'ru', 'tr', 'ar', 'he', 'ja', 'ko', 'th']
  const all = [...tags, ...more]
  const translations = translate(all, { text: 'x'.repeat(500) })
  const full = Array(5).fill({ text, translations })
  expect(await stored(full)).toEqual(full)
  const cleared = [
    { text: ' Ü ', translations: { DE: { text: ' a ' }, fr: null } },
    { text: 'b', translations: null },
  ]
  expect(await stored(cleared)).toEqual([{ text: 'Ü', translations: { de: { text: 'a' } } }, { text: 'b' }])
  const wrong = [
    {},
    { text: ' ' },
    { text: 'x'.repeat(501), title: 'x' },
    { text, translations: { ...translations, zh: { text: 'x' } } },
    {
      text,
      translations: { de: { text: 'x'.repeat(501) }, fr: {}, it: { text: null }, es: { text: 'x', label: 'y' } },
    },
    { text, translations: { de: { text: 'x' }, DE: { text: 'y' }, '-': { text: 'z' } } },
  ]
  expect(toIssues(await create(wrong))).toEqual([
    '/notes too_many',
    '/notes/0/text required',
    '/notes/1/text too_short',
    '/notes/2/text too_long',
    '/notes/2/title unknown_field',
    '/notes/3/translations too_many',
    '/notes/4/translations/de/text too_long',
    '/notes/4/translations/es/label unknown_field',
    '/notes/4/translations/fr/text required',
    '/notes/4/translations/it/text required',
    '/notes/5/translations/- invalid_format',
    '/notes/5/translations/DE duplicate',
  ])
})
