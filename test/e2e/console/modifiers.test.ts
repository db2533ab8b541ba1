import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { checkLook, createOwner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

test('a modifier is created by keyboard, and its options are put in order by buttons and by dragging', async () => {
  await visitConsole(browser, owner, '/modifiers', async (page) => {
    await page.getByText('No modifiers yet').waitFor()
    await page.keyboard.press('n')
    const editor = page.getByRole('dialog', { name: 'New modifier' })
    await editor.waitFor()
    await page.keyboard.type('Milk')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Choose your milk')
    await editor.getByLabel('Required').press('Space')
    await editor.getByLabel('At most').fill('2')
    await editor.getByText('choose 1 to 2').waitFor()
    for (const [index, label] of ['Whole', 'Oat', 'Soy'].entries()) {
      await editor.getByRole('button', { name: 'Add option' }).press('Enter')
      await expect
        .poll(() => page.evaluate('document.activeElement.closest("fieldset")?.getAttribute("aria-label")'))
        .toBe(`Option ${index + 1}`)
      await page.keyboard.type(label)
    }
    const option = (number: number) => editor.getByRole('group', { name: `Option ${number}` })
    await option(2).getByLabel('Additional cost').fill('1.200')
    await option(2).getByLabel('Additional cost').press('Enter')
    await option(2).getByText('Enter a number such as 12.50, without a separator for thousands.').waitFor()
    await option(2).getByLabel('Additional cost').fill('0,40')
    await option(3).getByRole('button', { name: 'Move up' }).press('Enter')
    await option(3).getByRole('button', { name: 'Remove' }).waitFor()
    await option(3)
      .locator('.handle')
      .dragTo(option(1), { targetPosition: { x: 10, y: 4 } })
    await editor.getByRole('textbox', { name: 'Title' }).press('Enter')
    await waitForStatus(page, '“Milk” is created.')
    const [modifier] = await owner.get('/modifiers')
    expect(modifier).toMatchObject({
      title: 'Milk',
      instructions: 'Choose your milk',
      type: 'CHECKBOX',
      rules: { required: true, selectRestriction: 2 },
    })
    expect(modifier.options).toMatchObject([
      { label: 'Oat', additionalCost: 0.4 },
      { label: 'Whole' },
      { label: 'Soy' },
    ])
  })
})

test('the rule of a modifier is said as quotes apply it', async () => {
  const options = [{ label: 'Small' }, { label: 'Large' }, { label: 'Huge' }]
  const create = (title: string, more: object) =>
    owner.post('/modifiers', { title, instructions: '', options, ...more })
  const requireSelectRestriction = true
  await create('Radio', { type: 'RADIO', rules: { requireSelectRestriction } })
  await create('Single', { rules: { allowedMultiple: false, selectRestriction: 2, requireSelectRestriction } })
  await create('Pair', { rules: { selectRestriction: 2, requireSelectRestriction } })
  await create('Few', { rules: { selectRestriction: 2 } })
  await visitConsole(browser, owner, '/modifiers', async (page) => {
    const list = page.getByRole('table', { name: 'Modifiers' })
    const ruleOf = (title: string) => list.getByRole('row', { name: title }).getByRole('cell').nth(1).innerText()
    await list.getByRole('button', { name: 'Few' }).waitFor()
    expect(await Promise.all(['Radio', 'Single', 'Pair', 'Few'].map(ruleOf))).toEqual([
      'choose 1',
      'choose 1',
      'choose exactly 2',
      'choose up to 2, optional',
    ])
  })
})

test('a modifier is translated, shows what uses it, and is duplicated with its translations', async () => {
  const options = [{ label: 'Still' }, { label: 'Sparkling' }]
  const { id } = await owner.post('/modifiers', { title: 'Water', instructions: '', options })
  await owner.post('/products', { title: 'Lunch deal', price: 9, modifiers: [id] })
  await visitConsole(browser, owner, `/modifiers/${id}`, async (page) => {
    const editor = page.getByRole('dialog', { name: 'Edit modifier' })
    await editor.getByText('Used by').click()
    await editor.getByRole('link', { name: 'Lunch deal' }).waitFor()
    await editor.getByText('Translations').click()
    await editor.getByLabel('Language').fill('de')
    await page.keyboard.press('Enter')
    const german = editor.getByRole('group', { name: 'Translation: German' })
    await german.getByLabel('Title').fill('Wasser')
    await german.getByLabel('Option 2').fill('Mit Kohlensäure')
    await editor.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Water” is saved.')
    const {
      options: [, { id: sparkling }],
    } = await owner.get(`/modifiers/${id}`)
    expect(await owner.get(`/modifiers/${id}/details`)).toEqual({
      translations: { de: { title: 'Wasser', options: { [sparkling]: { label: 'Mit Kohlensäure' } } } },
    })
    await page.getByRole('button', { name: 'Water', exact: true }).click()
    await editor.getByRole('button', { name: 'Duplicate' }).click()
    await waitForStatus(page, '“Water (copy)” is created.')
  })
  const [copy] = await owner.get('/modifiers?q=copy')
  expect(copy.options[1].id).not.toBe((await owner.get(`/modifiers/${id}`)).options[1].id)
  expect(await owner.get(`/modifiers/${copy.id}/details`)).toEqual({
    translations: { de: { title: 'Wasser', options: { [copy.options[1].id]: { label: 'Mit Kohlensäure' } } } },
  })
})

test('a modifier is changed, changed back and deleted, and a deletion is undone', async () => {
  const { id } = await owner.post('/modifiers', { title: 'Size', instructions: '', options: [{ label: 'Small' }] })
  await visitConsole(
    browser,
    owner,
    '/modifiers',
    async (page) => {
      await page.getByRole('table', { name: 'Modifiers' }).getByRole('button', { name: 'Size' }).tap()
      const editor = page.getByRole('dialog', { name: 'Edit modifier' })
      await editor.getByRole('group', { name: 'Option 1' }).getByLabel('Label').fill('')
      await editor.getByRole('button', { name: 'Save' }).tap()
      await editor.getByText('Fill this in.').waitFor()
      await editor.getByRole('group', { name: 'Option 1' }).getByLabel('Label').fill('Large')
      await editor.getByLabel('At most').fill('99999999999999999999')
      await editor.getByRole('button', { name: 'Save' }).tap()
      await editor.getByLabel('At most').and(page.locator('[aria-invalid=true]')).waitFor()
      await editor.getByLabel('At most').fill('1')
      await editor.getByRole('button', { name: 'Save' }).tap()
      await waitForStatus(page, '“Size” is saved.')
      expect(await owner.get(`/modifiers/${id}`)).toMatchObject({
        rules: { selectRestriction: 1 },
        options: [{ label: 'Large' }],
      })
      await page.getByRole('button', { name: 'Undo' }).tap()
      await waitForStatus(page, 'Undone.')
      expect(await owner.get(`/modifiers/${id}`)).toMatchObject({ rules: {}, options: [{ label: 'Small' }] })
    },
    sizes.phone,
  )
})

test('a modifier becomes one option whatever its limit says, with the first preselected option', async () => {
  const options = ['Small', 'Medium', 'Large'].map((label) => ({ label, preSelected: label !== 'Small' }))
  const { id } = await owner.post('/modifiers', { title: 'Cup', instructions: '', options })
  await visitConsole(browser, owner, `/modifiers/${id}`, async (page) => {
    const editor = page.getByRole('dialog', { name: 'Edit modifier' })
    await editor.getByLabel('At most').fill('two')
    await editor.getByLabel('One option').check()
    await editor.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Cup” is saved.')
  })
  const stored = await owner.get(`/modifiers/${id}`)
  expect(stored.type).toBe('RADIO')
  expect(stored.options.map(({ preSelected = false }) => preSelected)).toEqual([false, true, false])
})

test('both versions of a modifier that somebody else changed are shown', async () => {
  const { id } = await owner.post('/modifiers', { title: 'Sauce', instructions: '' })
  const last = await owner.post('/modifiers', { title: 'Salad', instructions: '' })
  const product = await owner.post('/products', { title: 'Chips', price: 3, modifiers: [id, last.id] })
  await owner.post(`/modifiers/${id}/details`, { translations: { de: { title: 'Soße' } } })
  await visitConsole(browser, owner, `/modifiers/${id}`, async (page) => {
    const editor = page.getByRole('dialog', { name: 'Edit modifier' })
    await editor.getByRole('textbox', { name: 'Title' }).fill('Sauces')
    await owner.post(`/modifiers/${id}`, { title: 'Dips' })
    await editor.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Changed at the same time' })
    await dialog.getByRole('row', { name: 'Title Sauces Dips' }).waitFor()
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await waitForStatus(page, '“Sauces” is saved.')
    await page.getByRole('button', { name: 'Sauces' }).click()
    await editor.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await waitForStatus(page, '“Sauces” is deleted.')
    expect((await owner.get(`/modifiers/${id}`)).code).toBe('not_found')
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForStatus(page, '“Sauces” is back.')
    const [restored, ...more] = await owner.get('/modifiers?q=sauces')
    expect(more).toEqual([])
    expect(await owner.get(`/modifiers/${restored.id}/details`)).toEqual({ translations: { de: { title: 'Soße' } } })
    expect((await owner.get(`/products/${product.id}`)).modifiers).toEqual([restored.id, last.id])
  })
})

test('the screen is accessible in both themes, and fits 320 px', async () => {
  const venue = await createOwner()
  await venue.post('/modifiers', {
    title: 'Milk for coffee',
    instructions: 'Choose your milk',
    type: 'RADIO',
    rules: { required: true },
    options: [{ label: 'Whole', preSelected: true }, { label: 'Oat', additionalCost: 0.4 }, { label: 'Soy' }],
  })
  await venue.post('/modifiers', {
    title: 'Extras',
    instructions: '',
    rules: { selectRestriction: 2 },
    options: [
      { label: 'Cheese', additionalCost: 1.2 },
      { label: 'Bacon', additionalCost: 1.8 },
    ],
  })
  await checkLook(browser, venue, '/modifiers', 'modifiers', async (page) => {
    await page.getByRole('button', { name: 'Extras' }).waitFor()
    return () => page.getByRole('button', { name: 'Extras' }).click()
  })
})

test('a modifier is added to a product when it is picked, or by a button when it is chosen by arrow keys', async () => {
  const own = await createOwner()
  for (const title of ['Bread', 'Cheese', 'Dip']) await own.post('/modifiers', { title, instructions: '' })
  const { id } = await own.post('/products', { title: 'Platter', price: 9 })
  await visitConsole(browser, own, `/products/${id}`, async (page) => {
    const list = page.getByRole('group', { name: 'Modifiers' })
    for (let presses = 0; presses < 3; presses++) await list.getByRole('combobox').press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: 'Remove Dip' }).waitFor()
    expect(await list.getByRole('listitem').count()).toBe(1)
    await list.getByRole('combobox').hover()
    await page.mouse.down()
    await page.mouse.up()
    await list.getByRole('combobox').selectOption('Bread')
    await list.getByRole('button', { name: 'Remove Bread' }).waitFor()
    expect(await list.getByRole('combobox').inputValue()).toBe('')
  })
})

test('a modifier that is chosen by keyboard is added before saving', async () => {
  const own = await createOwner()
  const create = (title: string) => own.post('/modifiers', { title, instructions: '' })
  const [foam, milk, syrup] = [await create('Foam'), await create('Milk'), await create('Syrup')]
  const { id } = await own.post('/products', { title: 'Coffee', price: 2 })
  await visitConsole(browser, own, `/products/${id}`, async (page) => {
    const [select, save] = [page.getByLabel('Add a modifier'), page.getByRole('button', { name: 'Save' })]
    await select.press('F')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Foam' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await save.click()
    await waitForStatus(page, '“Coffee” is saved.')
    expect((await own.get(`/products/${id}`)).modifiers).toEqual([foam.id, milk.id])
    await page.getByRole('button', { name: 'Coffee', exact: true }).click()
    await select.press('S')
    await page.keyboard.press('Tab')
    expect(await page.getByRole('button', { name: 'Remove Syrup' }).count()).toBe(0)
    await save.press('Enter')
    await save.waitFor({ state: 'detached' })
    expect((await own.get(`/products/${id}`)).modifiers).toEqual([foam.id, milk.id, syrup.id])
  })
})
