import { test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { choose, conflict, saveInConflict } from './conflict-question.ts'
import { createOwner, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

test('both versions of what lists others are shown by titles, prices and times, so that they differ', async () => {
  const venue = await createOwner()
  const create = async (path: string, fields: object): Promise<string> => (await venue.post(path, fields)).id
  const [tea, rum] = [
    await create('/products', { title: 'Tea', price: 2 }),
    await create('/products', { title: 'Rum', price: 4 }),
  ]
  const options = [{ label: 'Oat', additionalCost: 0.5 }, { label: 'Soy' }]
  const milk = await create('/modifiers', { title: 'Milk', instructions: '', options })
  const size = await create('/modifiers', { title: 'Size', instructions: '' })
  const menu = await create('/menus', { title: 'Bar', sections: [{ title: 'Drinks', items: [tea] }] })
  const coupon = await create('/coupons', { title: 'Off', code: 'OFF', type: 'FIXED', value: 1, products: [tea] })
  await visitConsole(browser, venue, `/modifiers/${milk}`, async (page) => {
    const open = (path: string) => page.goto(`${venue.origin}/console${path}`)
    await page.getByRole('group', { name: 'Option 1' }).getByLabel('Additional cost').fill('0.70')
    await venue.post(`/modifiers/${milk}`, { options: [{ label: 'Oat', preSelected: true }, { label: 'Soy' }] })
    await saveInConflict(page, 'Options Oat €0.70, Soy Oat (Selected at first), Soy', 'Use theirs')

    await open(`/products/${tea}`)
    await page.getByRole('combobox', { name: 'Add a modifier' }).selectOption('Milk')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await venue.post(`/products/${tea}`, { modifiers: [size] })
    await saveInConflict(page, 'Modifiers Milk Size', 'Use theirs')

    await open(`/menus/${menu}`)
    await page.getByRole('textbox', { name: 'Section title' }).fill('Tea time')
    const [section] = (await venue.get(`/menus/${menu}`)).sections
    await venue.post(`/menus/${menu}`, { sections: [{ ...section, items: [tea, rum] }] })
    await saveInConflict(page, 'Sections Tea time: Tea Drinks: Tea, Rum', 'Use theirs')

    await open(`/coupons/${coupon}`)
    await page.getByLabel('Valid until').fill('2030-08-31T23:59')
    await page.getByRole('button', { name: 'Remove Tea' }).click()
    await venue.post(`/coupons/${coupon}`, { products: [tea, rum] })
    await venue.post(`/coupons/${coupon}/limits`, { endsAt: Date.UTC(2030, 11, 31, 12) / 1000 })
    await saveInConflict(page, 'Products empty Tea, Rum', 'Keep mine')
    await choose(page, 'Valid until 31 Aug 2030, 23:59 31 Dec 2030, 12:00', 'Use theirs')

    await open(`/coupons/${coupon}`)
    await page.getByRole('textbox', { name: 'Value' }).fill('2.5')
    await page.getByRole('textbox', { name: 'Minimum order' }).fill('10')
    await venue.post(`/coupons/${coupon}`, { value: 3, minimumOrderAmount: 12.5 })
    await page.getByRole('button', { name: 'Save' }).click()
    await conflict(page).getByRole('row', { name: 'Value €2.50 €3.00' }).waitFor()
    await choose(page, 'Minimum order €10.00 €12.50', 'Use theirs')

    await venue.post(`/products/${rum}/details`, { allergens: [{ code: 'milk', level: 'contains' }] })
    await open(`/products/${rum}`)
    await page.getByText('Allergens, diets and nutrition').click()
    await page.getByRole('button', { name: 'Eggs' }).dblclick()
    await page.getByRole('checkbox', { name: 'Gluten-free' }).check()
    await page.getByRole('combobox', { name: 'Values are for' }).selectOption('100 ml')
    await page.getByRole('textbox', { name: 'Sugars' }).fill('2.5')
    const nutrition = { basis: 'portion', energyKcal: 231 }
    await venue.post(`/products/${rum}/details`, { allergens: [], diets: ['vegan'], nutrition })
    await page.getByRole('button', { name: 'Save' }).click()
    await conflict(page).getByRole('row', { name: 'Allergens Eggs: May contain, Milk: Contains No' }).waitFor()
    await conflict(page).getByRole('row', { name: 'Diets Gluten-free Vegan' }).waitFor()
    await choose(page, 'Nutrition 100 ml: Sugars (g) 2.5 A portion: Energy (kcal) 231', 'Use theirs')
  })
})

test('both versions of types, rules, times and prices are shown in words, also if titles cannot be read', async () => {
  const venue = await createOwner()
  const create = async (path: string, fields: object): Promise<string> => (await venue.post(path, fields)).id
  const tea = await create('/products', { title: 'Tea', price: 2 })
  const milk = await create('/modifiers', {
    title: 'Milk',
    instructions: '',
    options: [{ label: 'Oat' }, { label: 'Soy' }],
  })
  const hours = { allDayMenu: false, begin: '0900', end: '1700' }
  const menu = await create('/menus', { title: 'Bar', ...hours, sections: [{ title: 'Drinks', items: [tea] }] })
  const coupon = await create('/coupons', { title: 'Off', code: 'OFF', type: 'FIXED', value: 1 })
  await visitConsole(browser, venue, `/modifiers/${milk}`, async (page) => {
    const open = (path: string) => page.goto(`${venue.origin}/console${path}`)
    await page.getByRole('checkbox', { name: 'Required' }).check()
    await venue.post(`/modifiers/${milk}`, { rules: { selectRestriction: 2 } })
    await saveInConflict(page, 'Rule choose at least 1 choose up to 2, optional', 'Use theirs')

    await open(`/modifiers/${milk}`)
    await page.getByRole('radio', { name: 'One option' }).check()
    await venue.post(`/modifiers/${milk}`, { title: 'Milk!' })
    await saveInConflict(page, 'Guests choose One option Several options', 'Use theirs')

    await open(`/coupons/${coupon}`)
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Percent')
    await venue.post(`/coupons/${coupon}`, { value: 3 })
    await saveInConflict(page, 'Type Percent Amount', 'Use theirs')

    await venue.post(`/menus/${menu}/details`, { prices: [{ product: tea, price: 4 }], days: ['mon'] })
    await open(`/menus/${menu}`)
    await page.getByLabel('From', { exact: true }).fill('10:00')
    await page.getByText('Dates, order types and prices').click()
    await page.getByLabel('Price of Tea on this menu').fill('3')
    await page.getByRole('checkbox', { name: 'Tue' }).check()
    await venue.post(`/menus/${menu}`, { begin: '0700' })
    await venue.post(`/menus/${menu}/details`, { prices: [{ product: tea, price: 5 }], days: ['sun'] })
    await saveInConflict(page, 'From 10:00 07:00', 'Keep mine')
    await conflict(page).getByRole('row', { name: 'Days Mon, Tue Sun' }).waitFor()
    await choose(page, 'Prices while it is served Tea €3.00 Tea €5.00', 'Use theirs')

    await open(`/menus/${menu}`)
    await page.getByRole('textbox', { name: 'Section title' }).fill('Tea time')
    const rum = await create('/products', { title: 'Rum', price: 4 })
    const [section] = (await venue.get(`/menus/${menu}`)).sections
    await venue.post(`/menus/${menu}`, { sections: [{ ...section, items: [rum] }] })
    await page.route(/\/products\?.*ids=/, (route) => route.fulfill({ status: 403, body: '' }))
    await saveInConflict(page, 'Sections Tea time: Tea Drinks', 'Keep mine')
    await waitForStatus(page, '“Bar” is saved.')
  })
})
