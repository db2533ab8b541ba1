import { beforeAll, expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, type Owner, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
let owner: Owner
let cup: { id: string; options: { id: string }[] }
let latte: string
let menu: string
const [small, large] = [() => cup.options[0]?.id ?? '', () => cup.options[1]?.id ?? '']

/** Every member of product details that is not about other objects, and those that name sizes and modifiers. */
const createDetails = () => ({
  allergens: [
    { code: 'gluten', level: 'contains', names: ['oats'] },
    { code: 'milk', level: 'contains' },
  ],
  additives: ['coloring'],
  labels: ['warm'],
  nutrition: { basis: 'portion', energyKcal: 120 },
  sizes: { modifier: cup.id, prices: { [small()]: { price: 3 }, [large()]: { price: 4.2, sku: 'L-1' } } },
  modifierRules: [{ modifier: cup.id, title: 'Your cup' }],
  translations: { fr: { title: 'Café au lait' } },
})
const createPrices = (product: string) => [{ product, sizes: { [small()]: 2.5 } }]

beforeAll(async () => {
  owner = await createOwner()
  const options = ['Small', 'Large'].map((label) => ({ label }))
  cup = await owner.post('/modifiers', { title: 'Cup', instructions: '', type: 'RADIO', options })
  latte = (await owner.post('/products', { title: 'Latte', price: 3, modifiers: [cup.id] })).id
  await owner.post(`/products/${latte}/details`, createDetails())
  menu = (await owner.post('/menus', { title: 'Morning', sections: [{ title: 'Coffee', items: [latte] }] })).id
  await owner.post(`/menus/${menu}/details`, { prices: createPrices(latte) })
})

test('a menu that is saved keeps prices of sizes, also beside a price that is typed', async () => {
  const tea = (await owner.post('/products', { title: 'Tea', price: 2 })).id
  await visitConsole(browser, owner, `/menus/${menu}`, async (page) => {
    await page.getByText('Dates, order types and prices').click()
    await page.getByLabel('First day').fill('2026-12-01')
    await page.getByRole('combobox', { name: 'Find a product' }).fill('tea')
    await page.getByRole('option', { name: 'Tea' }).click()
    await page.getByLabel('Price of Tea on this menu').fill('1,5')
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Morning” is saved.')
    expect(await owner.get(`/menus/${menu}/details`)).toEqual({
      dates: { from: '2026-12-01' },
      prices: [...createPrices(latte), { product: tea, price: 1.5 }],
    })
  })
  await visitConsole(browser, owner, `/menus/${menu}`, async (page) => {
    await page.getByText('Dates, order types and prices').click()
    await page.getByLabel('Price of Tea on this menu').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    await page.getByLabel('Price of Tea on this menu').fill('1,7')
    await page.getByLabel('Price of Latte Large on this menu').fill('2,8')
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Morning” is saved.')
  })
  expect((await owner.get(`/menus/${menu}/details`)).prices).toEqual([
    { product: latte, sizes: { [small()]: 2.5, [large()]: 2.8 } },
    { product: tea, price: 1.7 },
  ])
  await owner.post(`/menus/${menu}/details`, { prices: createPrices(latte) })
})

test('a product that is changed, copied, deleted and brought back keeps details that its form does not show', async () => {
  await visitConsole(browser, owner, `/products/${latte}`, async (page) => {
    const editor = page.getByRole('dialog', { name: 'Edit product' })
    await editor.getByText('Allergens, diets and nutrition').click()
    await editor.getByRole('button', { name: 'Sesame' }).dblclick()
    await editor.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Latte” is saved.')
    const details = createDetails()
    const allergens = [...details.allergens, { code: 'sesame', level: 'may_contain' }]
    const changed = { ...details, allergens }
    expect(await owner.get(`/products/${latte}/details`)).toEqual(changed)

    await page.getByRole('button', { name: 'Latte', exact: true }).click()
    await editor.getByRole('button', { name: 'Duplicate' }).click()
    await waitForStatus(page, '“Latte (copy)” is created.')
    const [copy] = await owner.get('/products?q=copy')
    expect(await owner.get(`/products/${copy.id}/details`)).toEqual(changed)
    await owner.delete(`/products/${copy.id}`)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Latte', exact: true }).click()
    await editor.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await waitForStatus(page, '“Latte” is deleted.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForStatus(page, '“Latte” is back.')
    const [restored] = await owner.get('/products?q=latte')
    latte = restored.id
    expect(await owner.get(`/products/${latte}/details`)).toEqual(changed)
    expect((await owner.get(`/menus/${menu}/details`)).prices).toEqual(createPrices(latte))
  })
})

test('a modifier that is deleted and brought back keeps its details, and sizes and rules of products', async () => {
  const milk = await owner.post('/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
  const oat = milk.options[0].id
  const options = { [small()]: { allergens: [], max: 3, modifiers: [milk.id] } }
  await owner.post(`/modifiers/${cup.id}/details`, { min: 1, options })
  await owner.post(`/modifiers/${milk.id}/details`, { max: 2, sizedCosts: { [oat]: { [large()]: 0.8 } } })
  const old = { id: cup.id, small: small(), large: large() }
  await visitConsole(browser, owner, `/modifiers/${cup.id}`, async (page) => {
    const editor = page.getByRole('dialog', { name: 'Edit modifier' })
    await editor.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await waitForStatus(page, '“Cup” is deleted.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForStatus(page, '“Cup” is back.')
  })
  cup = (await owner.get('/modifiers?q=cup'))[0]
  expect(cup.id).toBe(old.id)
  const { sizes, modifierRules } = createDetails()
  expect(await owner.get(`/products/${latte}/details`)).toMatchObject({ sizes, modifierRules })
  expect(await owner.get(`/modifiers/${cup.id}/details`)).toEqual({
    min: 1,
    options: { [small()]: options[old.small] },
  })
})
