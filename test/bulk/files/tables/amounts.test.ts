import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../../support/api.ts'
import { settle, upload } from '../../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

async function read(venue: Venue, content: string) {
  const { body } = await upload(venue, auto, content, text)
  return body.state === 'checking' ? settle(venue, body.id) : body
}

/** State of an import, the codes of its questions, and the prices that it would write. */
async function readPrices(
  venue: Venue,
  found: { id: string; state: string; reading: { questions: { code: string }[] } },
) {
  const objects = found.state === 'ready' ? (await venue.get(`/imports/${found.id}/preview`)).body : []
  return [
    found.state,
    found.reading.questions.map(({ code }) => code),
    objects.flatMap(({ object }: { object: { price?: number } }) => object.price ?? []),
  ]
}

const tableOf = (...prices: string[]) =>
  ['Artikel;Preis', ...prices.map((price, index) => `Gericht ${index};${price}`)].join('\n')

describe('prices without decimals', () => {
  test.each([
    ['units', [1250, 450, 30]],
    ['cents', [12.5, 4.5, 0.3]],
  ])('may be cents: asked, and %s is not kept for the next file', async (amounts, prices) => {
    const venue = await createVenue({ currency: 'EUR' })
    const asked = await read(venue, tableOf('1250', '450', '30', 'auf Anfrage'))
    const question = { code: 'amounts', column: 'Preis', samples: ['1250', '450', '30'], choices: ['units', 'cents'] }
    expect([asked.state, asked.reading.questions]).toEqual(['asking', [question]])
    await venue.post(`/imports/${asked.id}/mapping`, { amounts })
    const found = await settle(venue, asked.id)
    expect(await readPrices(venue, found)).toEqual(['ready', [], prices])
    expect((await read(venue, tableOf('100'))).state).toBe('asking')
  })

  test.each([
    ['most are low', 'EUR', ['120', '12', '5'], [120, 12, 5]],
    ['one has decimals', 'EUR', ['1250', '450,00'], [1250, 450]],
    ['one has a sign of its currency', 'EUR', ['1250 €', '450'], [1250, 450]],
    ['one has a dash for its decimals', 'EUR', ['120,-', '450'], [120, 450]],
    ['all are 0', 'EUR', ['0', '0'], [0, 0]],
    ['the currency has no decimals', 'JPY', ['1250', '450'], [1250, 450]],
    ['they are usual in the currency', 'INR', ['1250', '450'], [1250, 450]],
  ])('are units if %s', async (_, currency, cells, prices) => {
    const venue = await createVenue({ currency })
    expect(await readPrices(venue, await read(venue, tableOf(...cells)))).toEqual(['ready', [], prices])
  })

  test.each(['price_cents', 'priceInCents', 'Preis (Cent)', 'Preis in Cent', 'price_minor', 'amount-pence'])(
    'below %s are cents, whatever they are',
    async (heading) => {
      const venue = await createVenue({ currency: 'EUR' })
      const found = await read(venue, `Artikel;${heading}\nEspresso;220\nKeks;5\n`)
      expect(await readPrices(venue, found)).toEqual(['ready', [], [2.2, 0.05]])
    },
  )

  test('of a currency with three decimals are thousandths', async () => {
    const venue = await createVenue({ currency: 'KWD' })
    const asked = await read(venue, tableOf('1250', '750'))
    await venue.post(`/imports/${asked.id}/mapping`, { amounts: 'cents' })
    expect(await readPrices(venue, await settle(venue, asked.id))).toEqual(['ready', [], [1.25, 0.75]])
  })

  test.each([
    ['units', [850, 1200]],
    ['cents', [8.5, 12]],
  ])('in sections of a JSON document are asked about too: %s', async (amounts, prices) => {
    const venue = await createVenue({ currency: 'EUR' })
    const items = [
      { name: 'Margherita', price: 850 },
      { name: 'Diavola', price: 1200 },
    ]
    const asked = await read(venue, JSON.stringify({ categories: [{ name: 'Pizza', items }] }))
    const question = { code: 'amounts', column: 'price', samples: ['850', '1200'], choices: ['units', 'cents'] }
    expect([asked.state, asked.reading.questions]).toEqual(['asking', [question]])
    await venue.post(`/imports/${asked.id}/mapping`, { amounts })
    expect(await readPrices(venue, await settle(venue, asked.id))).toEqual(['ready', [], prices])
  })
})
