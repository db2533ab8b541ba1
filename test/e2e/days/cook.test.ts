import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { sizes, visitConsole, waitForStatus } from '../console/console-page.ts'
import { createDay, createLunch } from './day.ts'

const browser = await getBrowser()
/** Time after which a change by others is shown, in milliseconds, and what a busy machine adds. */
const within = { timeout: 15_000 }

test("a cook's day on the phone of the kitchen", async () => {
  const { owner, scan, products, milk } = await createLunch(['products:read', 'modifiers:read', 'stock:write'])
  const { tap, type, step, end } = createDay('cook')
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      const mark = (name: string) => page.getByRole('switch', { name })
      await mark('Apple tart').waitFor()
      await step('sells out a dish until tomorrow', 1, async () => {
        await tap(mark('Apple tart'))
        await waitForStatus(page, '“Apple tart” is sold out until')
      })
      await step('finds a dish with a typing error, and sells it out', 2, async () => {
        await type(page.getByRole('searchbox', { name: 'Search', exact: true }), 'kuhcen')
        await tap(mark('Zwiebelkuchen'))
        await waitForStatus(page, '“Zwiebelkuchen” is sold out until')
      })
      await page.reload()
      expect(await page.getByRole('searchbox', { name: 'Search', exact: true }).inputValue()).toBe('kuhcen')
      await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('')
      await step('sells out a kind of milk', 2, async () => {
        await tap(page.getByLabel('Options'))
        await tap(mark('Milk: Oat milk'))
        await waitForStatus(page, 'Milk: Oat milk')
      })
      await step('goes on in the cellar, without a connection', 2, async () => {
        await tap(page.getByLabel('Products'))
        await mark('Latte').waitFor()
        await page.context().setOffline(true)
        await tap(mark('Latte'))
        await waitForStatus(page, 'No connection. “Latte” is sent as soon as there is one.')
        await page.context().setOffline(false)
        await waitForStatus(page, 'Sent: Latte.')
      })
      await step('sees what the owner has marked', 0, async () => {
        await owner.post(`/products/${products.soup}/availability`, { soldOut: true })
        await mark('Kürbiscremesuppe').and(page.locator('[aria-checked=true]')).waitFor(within)
      })
      await step('answers a guest who calls', 1, async () => {
        const { searchParams } = new URL(await scan(2))
        const form = new URLSearchParams({ kind: 'bill' })
        for (const name of ['tag', 'seat']) form.set(name, searchParams.get(name) ?? '')
        await fetch(`${owner.origin}/m/${owner.id}/requests`, { method: 'POST', body: form, redirect: 'manual' })
        const call = page.getByRole('button', { name: 'Table 3 · wants to pay · Done' })
        await call.waitFor(within)
        await tap(call)
        await waitForStatus(page, 'Table 3: done.')
      })
      await step('has a dish again', 1, async () => {
        await tap(mark('Apple tart'))
        await waitForStatus(page, '“Apple tart” is available')
      })
    },
    sizes.phone,
  )
  end()
  const isOut = async (path: string) => (await owner.get(path)).soldOut
  const { tart, cake, latte, soup } = products
  const states = await Promise.all([tart, cake, latte, soup].map((id) => isOut(`/products/${id}/availability`)))
  expect(states).toEqual([false, true, true, true])
  const { options } = await owner.get(`/modifiers/${milk.id}/availability`)
  expect(Object.values(options)).toContainEqual(expect.objectContaining({ soldOut: true }))
})
