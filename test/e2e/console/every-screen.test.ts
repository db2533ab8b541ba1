import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { getBrowser, readAtRest } from '../browser.ts'
import { listPageFaults } from '../page-faults.ts'
import { isLong } from '../rounds.ts'
import { connectService } from '../shared-service.ts'
import { createOwner, type Owner, sizes } from './console-page.ts'
import { addAuthenticator } from './member-page.ts'

const browser = await getBrowser()
const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenknopfmachereibedarfsgroßhandel'
const titles = [
  'Tee',
  'Hausgemachte Maultaschen geschmälzt mit Röstzwiebeln und schwäbischem Kartoffelsalat',
  'كفتة مشوية مع أرز بالشعيرية وسلطة الطحينة والمخللات',
  '季節の野菜と鶏肉の炊き込みご飯と味噌汁とお漬物のセットランチ定食',
  word,
]
let owner: Owner

beforeAll(async () => {
  owner = await createOwner({ venue: { name: 'Gasthaus Zum Löwen am Marktplatz', timezone: 'Europe/Berlin' } })
  for (const [index, title] of titles.entries()) {
    const price = 1_234.5
    const product = await owner.post('/products', { title, price, sku: `SKU-${index}`, visible: index !== 1 })
    if (index > 2) await owner.post(`/products/${product.id}/availability`, { soldOut: true, until: 'further_notice' })
    await owner.post('/menus', { title, sections: [{ title, items: [product.id] }] })
    await owner.post('/modifiers', { title, instructions: title, options: [{ label: title, additionalCost: price }] })
    await owner.post('/coupons', { title, code: `CODE${index}`, type: 'FIXED', value: price })
    await owner.post('/customers', {
      firstName: 'Bernhard',
      lastName: title,
      email: `${'a'.repeat(40)}@b${index}.example`,
    })
    const metadata = [
      { key: 'table', value: `${index + 1}` },
      { key: 'area', value: title.slice(0, 60) },
    ]
    await owner.post('/tags', { metadata })
    await owner.post('/webhooks', { title, url: `https://example.com/${word}`, events: ['order.created'] })
    await owner.delete(`/products/${(await owner.post('/products', { title, price })).id}`)
  }
})

/** Signs in as an owner with a passkey, who sees the people too. */
async function signInOwner(page: Page) {
  const { adminToken, call } = await connectService()
  const invitation = await call('POST', `/admin/merchants/${owner.id}/invitations`, adminToken, { role: 'owner' })
  await addAuthenticator(page, 'internal')
  await page.goto(invitation.body.url)
  await page.getByRole('textbox').fill('Zoë Müller-Lüdenscheidt')
  await page.keyboard.press('Enter')
}

async function signInOperator(page: Page) {
  const { adminToken, origin } = await connectService()
  await page.goto(`${origin}/console`)
  await page.getByRole('button', { name: /^(?:Operator|Betreiber)$/ }).click()
  await page.getByLabel(/^(?:Operator token|Betreiber-Token)$/).fill(adminToken)
  await page.keyboard.press('Enter')
}
const people = [
  { person: 'an owner', signIn: signInOwner },
  { person: 'an operator', signIn: signInOperator },
]

const phone: BrowserContextOptions = { ...sizes.phone, viewport: { width: 390, height: 844 } }
const desk: BrowserContextOptions = { viewport: { width: 1_280, height: 900 } }
const devices = [
  { device: 'a phone', options: phone, widths: [360, 390], isPhone: true },
  { device: 'a desk', options: desk, widths: [768, 1_280, 1_920], isPhone: false },
]
const locales = isLong ? ['de-DE', 'en-GB'] : ['de-DE']

/** Two targets of 44 px would make the rows of products much higher. The price is the one that is tapped between two guests. */
const titleAbovePrice = '.rows tr:has(.price) .open'

/** Whether the button of a tool bar is below its search. */
const isBarBroken = `(() => {
  const [search, button] = ['.search', '.primary'].map((each) => document.querySelector('main .tools ' + each)?.getBoundingClientRect())
  return search !== undefined && button !== undefined && button.top > search.bottom
})()`

/** Waits until the page is loaded, and lists its faults at each width. */
async function check(page: Page, part: string, { widths, isPhone }: (typeof devices)[number]): Promise<string[]> {
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await readAtRest(page, () => page.evaluate('document.body.innerHTML.length'))
    for (const fault of await listPageFaults(page, isPhone, titleAbovePrice))
      faults.push(`${part} at ${width}: ${fault}`)
    if (width >= 1_280 && (await page.evaluate(isBarBroken)))
      faults.push(`${part} at ${width}: the tool bar has two lines`)
  }
  return faults
}

const cases = people.flatMap((each) =>
  devices.flatMap((device) => locales.map((locale) => ({ ...each, ...device, locale }))),
)
test.each(cases)(
  'every screen and form that $person opens on $device fits it, and nothing is cut, covered or too small ($locale)',
  async ({ signIn, locale, ...device }) => {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce', ...device.options })
    const page = await context.newPage()
    await signIn(page)
    const links = page.locator('#navigation a')
    await links.first().waitFor({ state: 'attached' })
    const paths = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
    expect(paths.length).toBeGreaterThan(1)
    const { origin } = new URL(page.url())
    const faults: string[] = []
    for (const path of paths) {
      const show = async () => {
        await page.goto(`${origin}${path}`)
        await readAtRest(page, () => page.evaluate('document.body.innerHTML.length'))
      }
      await show()
      faults.push(...(await check(page, path, device)))
      for (const opener of ['main [data-shortcut=create]', '.rows .open, .plain-rows .open', '.tools a']) {
        const button = page.locator(opener).filter({ visible: true }).first()
        if ((await button.count()) === 0) continue
        await button.click()
        faults.push(...(await check(page, `${path} ${opener}`, device)))
        await show()
      }
    }
    await context.close()
    expect(faults).toEqual([])
  },
  240_000,
)
