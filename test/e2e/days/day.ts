import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { createOwner } from '../console/console-page.ts'

const wide = { timeout: 20_000 }

/** The steps of a person's day on a phone. Counts taps: a field that is typed into is one, a list from which something is chosen two, Enter none. */
export function createDay(person: string) {
  const steps: { step: string; taps: number; limit: number }[] = []
  let taps = 0
  return {
    tap(target: Locator) {
      taps++
      return target.click(wide)
    },
    async type(target: Locator, text: string) {
      taps++
      await target.click(wide)
      await target.fill(text)
    },
    choose(target: Locator, label: string) {
      taps += 2
      return target.selectOption({ label }, wide)
    },
    /** Counts taps that the test makes in another way, such as choosing a file. */
    add(count: number) {
      taps += count
    },
    /** Does a step, which may take a number of taps. */
    async step(step: string, limit: number, act: () => Promise<unknown>) {
      const before = taps
      await act()
      steps.push({ step, taps: taps - before, limit })
    },
    /** Prints the taps, and fails if a step took more than it may. */
    end() {
      for (const each of steps) console.log(`figure: ${person}, ${each.step}: ${each.taps} taps`)
      console.log(`figure: ${person}, the whole day: ${taps} taps`)
      expect(steps.filter((each) => each.taps > each.limit)).toEqual([])
    },
  }
}

const table = (value: string) => ({ metadata: [{ key: 'table', value }] })

/** A venue that serves lunch, with three tables at which guests can call. */
export async function createLunch(scopes?: readonly string[], venue: { timezone?: string } = {}) {
  const options = { name: 'Otter & Löwe', menuBar: { actions: ['call', 'bill'] }, ...venue }
  const owner = await createOwner({ venue: options, ...(scopes && { scopes }) })
  const milk = await owner.post('/modifiers', {
    title: 'Milk',
    instructions: '',
    options: [{ label: 'Oat milk', additionalCost: 0.5 }, { label: 'Cow' }],
  })
  const create = async (title: string, price: number, fields: object = {}): Promise<string> =>
    (await owner.post('/products', { title, price, ...fields })).id
  const soup = await create('Kürbiscremesuppe', 6.5)
  const cake = await create('Zwiebelkuchen', 5)
  const tart = await create('Apple tart', 4.5)
  const latte = await create('Latte', 3.2, { modifiers: [milk.id] })
  await owner.post(`/products/${soup}/details`, {
    diets: ['vegan'],
    allergens: [{ code: 'celery', level: 'contains' }],
  })
  const sections = [
    { title: 'Warm', items: [soup, cake] },
    { title: 'Sweet', items: [tart] },
    { title: 'Drinks', items: [latte] },
  ]
  await owner.post('/menus', { title: 'Lunch', showSectionNavigation: true, sections })
  const tags: { id: string; url: string }[] = []
  for (const number of ['1', '2', '3']) tags.push(await owner.post('/tags', table(number)))
  /** Scans the code of a table. Returns the address of the page that opens. */
  const scan = async (index: number): Promise<string> => {
    const path = new URL(tags[index]?.url ?? '').pathname
    const headers = { 'user-agent': 'Mozilla/5.0 Chrome' }
    const { headers: found } = await fetch(owner.origin + path, { redirect: 'manual', headers })
    return new URL(found.get('location') ?? '', owner.origin).href
  }
  return { owner, scan, products: { soup, cake, tart, latte }, milk }
}
