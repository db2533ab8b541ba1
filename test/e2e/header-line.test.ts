import { expect, test } from 'vitest'
import demo from '../../tools/cli/demo/demo-venue.json'
import { load } from '../support/catalogue.ts'
import { getBrowser, visit } from './browser.ts'
import { createVenueService } from './venue-service.ts'

const browser = await getBrowser()
const site = await createVenueService()

/** Elements of the header, and what is below the bar of calls at the end of the page. */
const measureEdges = `(() => {
  const boxes = [...document.querySelector('header').children].map((each) => each.getBoundingClientRect())
  scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
  const acts = document.querySelector('.acts').getBoundingClientRect()
  return {
    rows: boxes.filter(({ top }) => top >= boxes[0].bottom).length + 1,
    items: boxes.length,
    below: Math.round(innerHeight - acts.bottom),
  }
})()`

test.each(['cafe', 'bar', 'fine'])(
  'in %s, name, table and language share a line, and nothing is below the calls',
  async (theme) => {
    const venue = await site.createVenue({ ...demo.merchant, theme, menuBar: { actions: ['call', 'bill'] } })
    const section = { title: 'Tea', description: 'Loose leaf.', items: [0] }
    const [product] = await load(venue.post, {
      modifiers: [],
      products: [{ title: 'Assam', description: 'Strong.', price: 3 }],
      menus: [{ title: 'Drinks', description: 'All day.', allDayMenu: true, sections: [section, section] }],
    })
    await venue.post(`/products/${product}/details`, { translations: { de: { title: 'Assamtee' } } })
    const metadata = [
      { key: 'table', value: '4' },
      { key: 'area', value: 'Terrace' },
    ]
    const { body } = await venue.post('/tags', { metadata })
    const scanned = new URL(new URL(body.url).pathname, site.origin).href
    for (const width of [320, 390]) {
      await visit(browser, scanned, { viewport: { width, height: 844 } }, async (page) => {
        expect([width, await page.evaluate(measureEdges)]).toEqual([width, { rows: 1, items: 3, below: 0 }])
      })
    }
  },
)
