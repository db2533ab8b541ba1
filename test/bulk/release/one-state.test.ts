import { expect, test } from 'vitest'
import { limits } from '../../../src/platform/http/fields.ts'
import { send } from '../../support/api.ts'
import { setLimits } from '../../support/limits.ts'
import { isLong, toRounds } from '../../support/rounds.ts'
import { createMany, draft, setPrices } from './many-objects.ts'
import { link, readData } from './preview-links.ts'

/** Releases that are published one after the other, and reads beside them: 16 and 2,560 in CI. */
const [releases, reads] = [Math.max(toRounds(16), 6), Math.max(toRounds(2_560), 360)]
/** Objects that are published without staged rows. In CI it is the limit of the service. */
const together = isLong ? limits.operations : 50

type Reply = Awaited<ReturnType<typeof send>>
/** The prices that the data of a menu shows. */
const toPrices = ({ body }: Reply): number[] =>
  body.menus.flatMap(({ sections }: { sections: { products: { price: number }[] }[] }) =>
    sections.flatMap(({ products }) => products.map(({ price }) => price)),
  )

test.each(['d1', 'object'] as const)(
  'in %s, each read beside publications with staged rows shows exactly one state',
  async (home) => {
    setLimits(limits, { operations: together })
    const { venue, ids } = await createMany(home, together + 1)
    const shown = [...ids.slice(0, 3), ...ids.slice(-3)]
    const menu = (await venue.post('/menus', { title: 'Day', sections: [{ title: 'All', items: shown }] })).body.id
    // A draft that changes nothing of it shows the present state, which no cache holds.
    const idle = await draft(venue, [{ op: 'update', resource: 'menus', id: menu, body: { title: 'Evening' } }])
    const preview = await link(venue, idle.id)
    const items = shown.map((product) => ({ product, quantity: 1 }))
    const readers = {
      page: async () => toPrices(await send(`/m/${venue.id}.json`)),
      preview: async () => toPrices(await readData(preview)),
      quote: async (): Promise<number[]> =>
        (await venue.post('/quotes', { items })).body.items.map(({ unitPrice }: { unitPrice: number }) => unitPrice),
    }
    const seen: Record<keyof typeof readers, number[][]> = { page: [], preview: [], quote: [] }
    const read = async (name: keyof typeof readers, count: number) => {
      for (let n = 0; n < count; n++) seen[name].push(await readers[name]())
    }
    const share = Math.ceil(reads / releases / 4)
    for (let price = 5; price < 5 + releases; price++) {
      const { id } = await draft(venue, setPrices(ids, price))
      const [published] = await Promise.all([
        venue.post(`/releases/${id}/publish`, {}),
        ...[read('page', share), read('preview', share), read('quote', share), read('quote', share)],
      ])
      expect(published.body).toMatchObject({ state: 'published' })
    }
    expect(seen.page.length + seen.preview.length + seen.quote.length).toBeGreaterThanOrEqual(reads)
    for (const [name, states] of Object.entries(seen)) {
      const mixed = states.filter((prices) => prices.length !== shown.length || new Set(prices).size !== 1)
      expect([name, mixed]).toEqual([name, []])
      const prices = states.map(([price = 0]) => price)
      // A later read of one reader is no earlier state. Two readers take turns with quotes.
      if (name !== 'quote') expect(prices).toEqual(prices.toSorted((a, b) => a - b))
      if (name !== 'page') expect(new Set(prices).size).toBeGreaterThan(releases / 2)
    }
  },
  600_000,
)
