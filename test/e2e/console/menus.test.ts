import { beforeAll, expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { checkLook, createOwner, holdRequest, type Owner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
let owner: Owner
const ids = new Map<string, string>()
beforeAll(async () => {
  owner = await createOwner()
  for (const title of ['Porridge', 'Granola', 'Pancakes', 'Espresso']) {
    ids.set(title, (await owner.post('/products', { title, price: 4 })).id)
  }
})
const toIds = (...titles: string[]) => titles.map((title) => ids.get(title))

test('a menu is made by keyboard: sections, products, hours; the preview shows it at any time', async () => {
  await visitConsole(browser, owner, '/menus', async (page) => {
    await page.getByText('No menus yet').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'New menu' }).waitFor()
    await page.keyboard.type('Late breakfast')
    await page.getByLabel('All day').press('Space')
    await page.getByLabel('From').fill('22:00')
    await page.getByLabel('Until').fill('02:00')
    await page.getByText('It ends on the next day.').waitFor()
    await page.getByRole('button', { name: 'Add section' }).press('Enter')
    await expect.poll(() => page.getByLabel('Section title').and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.type('Bowls')
    await page.getByRole('button', { name: 'Add product' }).press('Enter')
    for (const title of ['Porridge', 'Granola']) {
      await page.keyboard.type(title)
      await page.getByRole('option', { name: title }).waitFor()
      await page.getByRole('option').nth(1).waitFor({ state: 'detached' })
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Remove ${title}` }).waitFor()
    }
    await page.keyboard.press('Escape')
    const up = page.getByRole('button', { name: 'Move Granola up' })
    await up.press('Enter')
    // At the top, the focus is on the other arrow.
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Move Granola down')
    await page.getByRole('textbox', { name: 'Title', exact: true }).press('Enter')
    await waitForStatus(page, '“Late breakfast” is created.')
    const [menu] = await owner.get('/menus')
    expect(menu).toMatchObject({ title: 'Late breakfast', allDayMenu: false, begin: '2200', end: '0200' })
    expect(menu.sections).toMatchObject([{ title: 'Bowls', items: toIds('Granola', 'Porridge') }])

    const preview = page.frameLocator('iframe[title=Preview]')
    await page.getByLabel('Preview at').fill('2026-11-20T01:00')
    await preview.locator('details[open], section').getByText('Granola').first().waitFor()
  })
})

test('a product is offered first whose title is what is typed, above the buttons of a phone', async () => {
  const other = await createOwner()
  for (const n of [1, 10, 11, 12, 13, 14, 15, 16, 17, 18]) {
    await other.post('/products', { title: `Herbal ${n}`, price: n })
  }
  await visitConsole(
    browser,
    other,
    '/menus/new',
    async (page) => {
      await page.getByRole('button', { name: 'Add section' }).tap()
      await page.getByRole('button', { name: 'Add product' }).tap()
      await page.getByRole('combobox').last().fill('herbal 1')
      const offers = page.getByRole('listbox').getByRole('option')
      await expect.poll(() => offers.first().innerText()).toMatch(/^Herbal 1\s+€1.00$/)
      const findEdges = async (selector: string) => {
        const box = await page.locator(selector).filter({ visible: true }).boundingBox()
        return box ? { top: box.y, bottom: box.y + box.height } : { top: Number.NaN, bottom: Number.NaN }
      }
      await expect
        .poll(async () => (await findEdges('.offers')).bottom - (await findEdges('.dialog-end')).top)
        .toBeLessThanOrEqual(0)
    },
    sizes.phone,
  )
})

test('the preview shows the moment that is chosen while a change is being saved', async () => {
  const other = await createOwner()
  const { id } = await other.post('/products', { title: 'Granola', price: 4 })
  await other.post('/menus', { title: 'Supper', sections: [{ title: 'Bowls', items: [id] }] })
  await visitConsole(browser, other, '/menus', async (page) => {
    const night = `live.${Date.parse('2026-11-20T01:00Z') / 1000}`
    const isShown = () => page.frames().some((frame) => frame.url().includes(night))
    const preview = page.frameLocator('iframe[title=Preview]')
    await preview.getByText('Granola').first().waitFor()
    // Later than the preview reloads behind a change.
    await page.route(new RegExp(night), (route) => setTimeout(() => route.continue(), 1_500))
    await page.getByRole('switch', { name: 'Supper visible' }).click()
    await waitForStatus(page, '“Supper” is hidden.')
    await page.getByLabel('Preview at').fill('2026-11-20T01:00')
    await expect.poll(isShown).toBe(true)
  })
})

test('products and sections are dragged, and details are stored with the menu', async () => {
  const { id } = await owner.post('/menus', {
    title: 'Brunch',
    sections: [
      { title: 'Sweet', items: toIds('Pancakes', 'Granola') },
      { title: 'Drinks', items: toIds('Espresso') },
      { title: 'Later', items: [] },
    ],
  })
  const sections = async () => (await owner.get(`/menus/${id}`)).sections
  await visitConsole(browser, owner, `/menus/${id}`, async (page) => {
    const item = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await item('Espresso').waitFor()
    await item('Granola')
      .locator('.handle')
      .dragTo(item('Pancakes'), { targetPosition: { x: 60, y: 4 } })
    await item('Pancakes').locator('.handle').dragTo(page.getByText('No products yet. Drag some'))
    await page.getByRole('button', { name: 'Move Espresso down' }).click()
    await page.getByRole('button', { name: 'Move Sweet down' }).click()
    await page.getByText('Dates, order types and prices').click()
    await page.getByLabel('Sun', { exact: true }).uncheck()
    await page.getByLabel('First day').fill('2026-12-01')
    await page.getByLabel('Last day').fill('2026-11-01')
    await page.getByRole('combobox', { name: 'Find a product' }).fill('espr')
    await page.getByRole('option', { name: 'Espresso' }).click()
    await page.getByLabel('Price of Espresso on this menu').fill('1,500')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a number such as 12.50, without a separator for thousands.').waitFor()
    await page.getByLabel('Price of Espresso on this menu').fill('1,5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    await page.getByLabel('Last day').fill('2026-12-24')
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Brunch” is saved.')
  })
  expect(await sections()).toMatchObject([
    { title: 'Drinks', items: [] },
    { title: 'Sweet', items: toIds('Granola') },
    { title: 'Later', items: toIds('Espresso', 'Pancakes') },
  ])
  expect(await owner.get(`/menus/${id}/details`)).toEqual({
    days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
    dates: { from: '2026-12-01', until: '2026-12-24' },
    prices: [{ product: ids.get('Espresso'), price: 1.5 }],
  })
})

test('a section gets a description, and keeps the translations of its texts', async () => {
  const menu = await owner.post('/menus', { title: 'Supper', sections: [{ title: 'Soups', items: [] }] })
  const [{ id: section }] = menu.sections
  const texts = { title: 'Potages', description: 'Maison' }
  await owner.post(`/menus/${menu.id}/details`, { translations: { fr: { sections: { [section]: texts } } } })
  await visitConsole(browser, owner, `/menus/${menu.id}`, async (page) => {
    await page.getByRole('group', { name: 'Soups' }).getByRole('button', { name: 'Add a description' }).click()
    await expect.poll(() => page.getByLabel('Section description').and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.type('Made here')
    await page.getByText('Translations').click()
    const french = page.getByRole('group', { name: 'Translation: French' })
    await french.getByLabel('Section 1', { exact: true }).fill('Soupes')
    expect(await french.getByLabel('Section 1: Description').inputValue()).toBe('Maison')
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Supper” is saved.')
  })
  expect((await owner.get(`/menus/${menu.id}`)).sections[0].description).toBe('Made here')
  expect(await owner.get(`/menus/${menu.id}/details`)).toMatchObject({
    translations: { fr: { sections: { [section]: { title: 'Soupes', description: 'Maison' } } } },
  })
})

test('a menu gets a banner and translations of its sections, and its copy has them', async () => {
  const { id } = await owner.post('/menus', { title: 'Pictured', sections: [{ title: 'Soups', items: [] }] })
  await visitConsole(browser, owner, `/menus/${id}`, async (page) => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
    const buffer = Buffer.from(pixel, 'base64')
    await page.getByText('Translations').click()
    await page.getByLabel('Language').fill('fr')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Translation: French' }).getByLabel('Section 1').fill('Potages')
    await page.getByLabel('Banner').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    await page.getByRole('img', { name: 'Banner' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Pictured” is saved.')
    await page.getByRole('button', { name: 'Pictured', exact: true }).click()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await waitForStatus(page, '“Pictured (copy)” is created.')
  })
  const [copy] = await owner.get('/menus?q=copy')
  expect(copy).toMatchObject({ visible: false, branding: { banner: expect.stringMatching(/^http/) } })
  expect(await owner.get(`/menus/${copy.id}/details`)).toEqual({
    translations: { fr: { sections: { [copy.sections[0].id]: { title: 'Potages' } } } },
  })
  for (const menu of [id, copy.id]) await owner.delete(`/menus/${menu}`)
})

test('menus are put in order and hidden on a phone', async () => {
  await visitConsole(
    browser,
    owner,
    '/menus',
    async (page) => {
      const rows = page.getByRole('table', { name: 'Menus' }).getByRole('row')
      await rows.nth(2).waitFor()
      await page.getByRole('button', { name: 'Move Late breakfast up' }).tap()
      await waitForStatus(page, '“Late breakfast” is at place 1.')
      await page.getByRole('switch', { name: 'Brunch visible' }).tap()
      await waitForStatus(page, '“Brunch” is hidden.')
      await page.reload()
      await rows.nth(1).getByText('Late breakfast').waitFor()
    },
    sizes.phone,
  )
  expect(await owner.get('/menus?visible=false')).toMatchObject([{ title: 'Brunch' }])
})

test('menus are moved in the list of all of them only, and undoing it restores their positions', async () => {
  const other = await createOwner()
  for (const title of ['Bar', 'Brunch', 'Dinner', 'Lunch']) await other.post('/menus', { title, sections: [] })
  const [lunch] = await other.get('/menus?q=Lunch')
  await other.post(`/menus/${lunch.id}/details`, { position: 7 })
  const listDetails = async () =>
    (await other.get('/menus?include=details')).map(({ details }: { details?: object }) => details)
  await visitConsole(browser, other, '/menus', async (page) => {
    const rows = page.getByRole('table', { name: 'Menus' }).getByRole('row')
    await rows.nth(4).waitFor()
    await page.getByRole('searchbox').fill('B')
    await rows.nth(3).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(0)
    const held = await holdRequest(page, /\/menus\?/)
    await page.getByRole('searchbox').fill('')
    await held.sent
    expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(0)
    held.release()
    await page.getByRole('button', { name: 'Move Dinner up' }).click()
    await waitForStatus(page, '“Dinner” is at place 3.')
    expect(await listDetails()).toEqual([0, 2, 3, 1].map((position) => ({ position })))
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rows.nth(3).innerText()).toContain('Brunch')
    expect(await listDetails()).toEqual([{ position: 7 }, {}, {}, {}])
  })
})

test('the screen is accessible in both themes, and fits 320 px', async () => {
  await checkLook(browser, owner, '/menus', 'menus', async (page) => {
    await page.getByRole('button', { name: 'Brunch', exact: true }).waitFor()
    return async () => {
      await page.getByRole('button', { name: 'Brunch', exact: true }).click()
      await page.getByText('Dates, order types and prices').click()
    }
  })
})
