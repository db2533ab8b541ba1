import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createVenue, origin, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'
import { readPdf, spell } from '../../support/pdf.ts'

const notes = [
  { text: 'Service is included.', translations: { de: { text: 'Bedienung <inbegriffen>.' } } },
  { text: 'Adults need around 2000 kcal a day.', translations: { 'pt-BR': { text: 'Cerca de 2000 kcal por dia.' } } },
]
async function createCafe(merchant: object = { language: 'en', notes }) {
  const venue = await createVenue({ name: 'Otter', timezone: 'Europe/London', currency: 'GBP', ...merchant })
  const [product] = await load(venue.post, {
    modifiers: [],
    products: [{ title: 'Coffee', price: 3 }],
    menus: [{ title: 'Drinks', sections: [{ title: 'Warm', items: [0] }] }],
  })
  const translations = { de: { title: 'Kaffee' }, pt: { title: 'Café' } }
  await venue.post(`/products/${product}/details`, { allergens: [], translations })
  const page = async (part = '') => String((await send(`/m/${venue.id}${part}`)).body)
  const data = async (query: string) => (await send(`/m/${venue.id}.json${query}`)).body.venue.notes
  async function pdf(query: string) {
    const response = await exports.default.fetch(new URL(`/m/${venue.id}/allergens.pdf${query}`, origin))
    return (await readPdf(new Uint8Array(await response.arrayBuffer()))).texts.map(spell)
  }
  return { ...venue, page, data, pdf }
}

test('the notes of a venue end its menu, data, table of allergens and PDF, in the language of the menu', async () => {
  const { page, data, pdf } = await createCafe()
  const [service, energy] = notes
  expect(await data('')).toEqual([{ text: service?.text }, { text: energy?.text }])
  expect(await data('?lang=de')).toEqual([
    { text: 'Bedienung <inbegriffen>.' },
    { text: energy?.text, untranslated: ['text'] },
  ])
  // A translation that is more specific than the language of the menu is good enough.
  expect((await data('?lang=pt'))[1]).toEqual({ text: 'Cerca de 2000 kcal por dia.' })
  for (const path of ['', '/allergens']) {
    expect(await page(`${path}?lang=en`)).toMatch(
      /<div class="about"[^>]*><p><bdi>Service is included.<\/bdi><\/p><p><bdi>Adults need around 2000 kcal a day.<\/bdi><\/p><\/div>(?:<\/main>|<\/footer>)/,
    )
    expect(await page(`${path}?lang=de`)).toMatch(
      /<p><bdi>Bedienung &lt;inbegriffen&gt;.<\/bdi><\/p><p><bdi lang="en">Adults need around 2000 kcal a day.<\/bdi><\/p><\/div>(?:<\/main>|<\/footer>)/,
    )
  }
  expect((await pdf('?lang=de')).slice(-4)).toEqual([
    'Kaffee',
    'Bedienung <inbegriffen>.',
    'Adults need around 2000 kcal a day.',
    '1 / 1',
  ])
})

test('a venue without notes shows what it showed', async () => {
  for (const merchant of [{}, { notes: [] }, { notes: null }]) {
    const { page, data } = await createCafe({ language: 'en', ...merchant })
    expect(await data('')).toBeUndefined()
    expect(await page('?lang=en')).toContain('</article></main>')
    expect(await page('/allergens?lang=en')).toContain('</table></main>')
  }
})

test('the longest notes fit the menu, and the PDF breaks them into lines', async () => {
  const text = 'Fish & chips, line\n'.repeat(26).slice(0, 499).concat('.')
  const { page, pdf, data } = await createCafe({ notes: Array(5).fill({ text }) })
  expect(await data('')).toEqual(Array(5).fill({ text }))
  expect((await page('?lang=en')).split('Fish &amp; chips, line\n')).toHaveLength(5 * 26 + 1)
  expect((await pdf('?lang=en')).filter((line) => line === 'Fish & chips, line')).toHaveLength(5 * 26)
  expect((await pdf('?lang=en')).at(-1)).toBe('3 / 3')
})
