import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { getBrowser, readAtRest, widthOf } from '../browser.ts'
import { createActions } from './actions.ts'
import { createOwner, listViolations, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()
const folder = process.env['CONSOLE_PICTURES']

const save = (page: Page) => page.getByRole('button', { name: 'Save' })
const size = (page: Page, number: number) => page.getByRole('group', { name: `Size ${number}`, exact: true })
const findProduct = async (title: string) => (await owner.get(`/products?q=${title}`))[0]
const countModifiers = async () => (await owner.get('/modifiers?limit=100')).length

describe.each(Object.entries(sizes))('on a %s', (device, options) => {
  test('a product with three sizes takes at most 12 inputs', async () => {
    const title = `Latte ${device}`
    const { tap, fill, count } = createActions()
    await visitConsole(
      browser,
      owner,
      '/products',
      async (page) => {
        await tap(page.getByRole('button', { name: 'New product' }))
        await fill(page.getByLabel('Title', { exact: true }), title)
        await tap(page.getByRole('button', { name: 'Sizes', exact: true }))
        for (const [index, [label, price]] of Object.entries({ S: '3', M: '3,50', L: '4.2' }).entries()) {
          await fill(size(page, index + 1).getByLabel('Name of the size'), label)
          await fill(size(page, index + 1).getByLabel('Price of the size'), price)
        }
        if (folder) await page.screenshot({ path: `${folder}/sizes-${device}.png` })
        await tap(save(page))
        await waitForStatus(page, `“${title}” is created.`)
      },
      options,
    )
    expect(count()).toBeLessThanOrEqual(12)
    console.log(`figure: inputs for a product with three sizes, ${count()}`)
    const { id, price, modifiers } = await findProduct(title)
    const { sizes: stored } = await owner.get(`/products/${id}/details`)
    const modifier = await owner.get(`/modifiers/${modifiers[0]}`)
    expect([price, modifiers, modifier.type]).toEqual([3, [stored.modifier], 'RADIO'])
    expect(
      modifier.options.map(({ id, label }: { id: string; label: string }) => [label, stored.prices[id].price]),
    ).toEqual([
      ['S', 3],
      ['M', 3.5],
      ['L', 4.2],
    ])
  })
})

test('sizes whose second or third request fails are saved again without a second modifier or product', async () => {
  const before = await countModifiers()
  await visitConsole(browser, owner, '/products', async (page) => {
    let failing = /\/products$/
    await page.route(/\/(?:products|details)$/, (route) =>
      route.request().method() === 'POST' && failing.test(route.request().url())
        ? route.fulfill({ status: 500 })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'New product' }).click()
    await page.getByLabel('Title', { exact: true }).fill('Mocha')
    await page.getByRole('button', { name: 'Sizes', exact: true }).click()
    for (const [index, price] of ['3', '4'].entries()) {
      await size(page, index + 1)
        .getByLabel('Name of the size')
        .fill(`Cup ${price}`)
      await size(page, index + 1)
        .getByLabel('Price of the size')
        .fill(price)
    }
    for (const next of [/\/details$/, /nothing/]) {
      await save(page).click()
      await page.getByRole('alert').getByText('service').waitFor()
      failing = next
    }
    await save(page).click()
    await waitForStatus(page, '“Mocha” is created.')
    expect([await countModifiers(), (await owner.get('/products?q=mocha')).length]).toEqual([before + 1, 1])
    const mocha = await findProduct('mocha')
    const details = await owner.get(`/products/${mocha.id}/details`)
    expect([Object.keys(details.sizes.prices).length, mocha.modifiers]).toEqual([2, [details.sizes.modifier]])

    await page.getByRole('button', { name: 'New product' }).click()
    failing = /\/products$/
    await page.getByLabel('Title', { exact: true }).fill('Chai')
    await page.getByRole('button', { name: 'Sizes', exact: true }).click()
    await size(page, 1).getByLabel('Name of the size').fill('Pot')
    await size(page, 1).getByLabel('Price of the size').fill('5')
    await save(page).click()
    await page.getByRole('alert').getByText('service').waitFor()
    expect(await countModifiers()).toBe(before + 2)
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await expect.poll(countModifiers).toBe(before + 1)
  })
})

test('sizes that other products have too become those of this product before their labels change', async () => {
  const options = ['Small', 'Large'].map((label) => ({ label }))
  const cup = await owner.post('/modifiers', { title: 'Cup', instructions: '', type: 'RADIO', options })
  const [small, large] = cup.options.map(({ id }: { id: string }) => id)
  const prices = { [small]: { price: 2, sku: 'S' }, [large]: { price: 3 } }
  const [tea, juice] = await Promise.all(
    ['Tea', 'Juice'].map(async (title) => {
      const { id } = await owner.post('/products', { title, price: 2, modifiers: [cup.id] })
      await owner.post(`/products/${id}/details`, { sizes: { modifier: cup.id, prices } })
      return id
    }),
  )
  await visitConsole(browser, owner, `/products/${tea}`, async (page) => {
    await size(page, 1).getByLabel('Price of the size').fill('1,80')
    await save(page).click()
    await waitForStatus(page, '“Tea” is saved.')
    expect([(await owner.get(`/products/${tea}`)).price, (await owner.get(`/products/${tea}/details`)).sizes]).toEqual([
      1.8,
      { modifier: cup.id, prices: { ...prices, [small]: { price: 1.8, sku: 'S' } } },
    ])
    await page.getByRole('button', { name: 'Tea', exact: true }).click()
    await size(page, 2).getByLabel('Name of the size').fill('Pot')
    await save(page).click()
    await page.getByRole('dialog', { name: 'Edit product' }).waitFor({ state: 'detached' })
  })
  const [own, shared] = await Promise.all([tea, juice].map((id) => owner.get(`/products/${id}`)))
  expect([own.modifiers.length, shared.modifiers]).toEqual([1, [cup.id]])
  expect((await owner.get(`/modifiers/${own.modifiers[0]}`)).options).toMatchObject([
    { label: 'Small' },
    { label: 'Pot' },
  ])
  expect((await owner.get(`/modifiers/${cup.id}`)).options).toMatchObject(options)
  const { sizes: stored } = await owner.get(`/products/${tea}/details`)
  expect(Object.values(stored.prices)).toEqual([{ price: 1.8, sku: 'S' }, { price: 3 }])
})

test('chips of allergens go from contained to traces to none, by keyboard too; errors stand at their field', async () => {
  const { id } = await owner.post('/products', { title: 'Muesli', price: 4 })
  await visitConsole(
    browser,
    owner,
    `/products/${id}`,
    async (page) => {
      await page.getByText('Allergens, diets and nutrition').click()
      const editor = page.getByRole('dialog', { name: 'Edit product' })
      await expect.poll(() => editor.locator('.chip').count()).toBe(14)
      const chip = (name: string) => editor.getByRole('button', { name })
      const placesOfChips = () =>
        readAtRest(page, () =>
          page.evaluate(
            `[...document.querySelectorAll('.chip')].map((chip) => [chip.offsetLeft, chip.offsetTop, chip.offsetWidth, chip.offsetHeight])`,
          ),
        )
      const places = await placesOfChips()
      const press = async (name: string, times: number) => {
        await chip(name).focus()
        for (let time = 0; time < times; time++) await page.keyboard.press('Space')
        return chip(name).getAttribute('aria-pressed')
      }
      expect([await press('Milk', 1), await press('Eggs', 2), await press('Soybeans', 3)]).toEqual([
        'true',
        'mixed',
        'false',
      ])
      await press('Gluten', 1)
      // A second tap at the same place hits the same chip.
      expect(await placesOfChips()).toEqual(places)
      await editor.getByRole('group', { name: 'Gluten, which?' }).getByLabel('oats').check()
      await editor.getByText('Additives').click()
      await editor.getByLabel('sulphured').check()
      await editor.getByLabel('Vegan').check()
      await save(page).click()
      const invalid = editor.locator('fieldset[aria-invalid=true] > legend')
      await expect.poll(() => invalid.allTextContents()).toEqual(['Diets', 'Declared in footnotes'])
      await editor.getByLabel('Vegan').uncheck()
      await press('Sulphites', 1)
      if (folder) await page.screenshot({ path: `${folder}/chips.png` })
      expect([await widthOf(page), await listViolations(page)]).toEqual([320, []])
      await save(page).click()
      await waitForStatus(page, '“Muesli” is saved.')
      expect(await owner.get(`/products/${id}/details`)).toEqual({
        allergens: [
          { code: 'gluten', level: 'contains', names: ['oats'] },
          { code: 'eggs', level: 'may_contain' },
          { code: 'milk', level: 'contains' },
          { code: 'sulphites', level: 'contains' },
        ],
        additives: ['sulphured'],
      })
    },
    { ...sizes.phone, viewport: { width: 320, height: 700 }, bypassCSP: true },
  )
})

test('one tap says that options add nothing; a new option takes details at once', async () => {
  const options = ['Oat', 'Whole'].map((label) => ({ label }))
  const milk = await owner.post('/modifiers', { title: 'Milk', instructions: '', options })
  const [oat, whole] = milk.options.map(({ id }: { id: string }) => id)
  const contents = { allergens: [{ code: 'milk', level: 'contains' }], max: 3 }
  await owner.post(`/modifiers/${milk.id}/details`, { options: { [whole]: contents } })
  await visitConsole(browser, owner, `/modifiers/${milk.id}`, async (page) => {
    await page.getByRole('button', { name: 'Add option' }).click()
    await page.getByRole('group', { name: 'Option 3' }).getByLabel('Label').fill('Soy')
    await page.getByText('Allergens and limits of options').click()
    await page.getByText('Soy not stated').click()
    await page.getByRole('group', { name: 'Soy' }).getByRole('button', { name: 'Soybeans' }).click()
    await page.getByRole('button', { name: 'None of these adds anything' }).click()
    await page.getByLabel('Minimum', { exact: true }).fill('2')
    await page.getByLabel('Maximum', { exact: true }).fill('1')
    await save(page).click()
    await page.getByLabel('Maximum', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('Maximum', { exact: true }).fill('4')
    if (folder) await page.screenshot({ path: `${folder}/options.png` })
    await save(page).click()
    await waitForStatus(page, '“Milk” is saved.')
  })
  const stored = await owner.get(`/modifiers/${milk.id}`)
  const soy = stored.options[2].id
  expect(await owner.get(`/modifiers/${milk.id}/details`)).toEqual({
    min: 2,
    max: 4,
    options: {
      [whole]: contents,
      [oat]: { allergens: [] },
      [soy]: { allergens: [{ code: 'soybeans', level: 'contains' }] },
    },
  })
})
