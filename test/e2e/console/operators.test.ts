import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { connectService } from '../shared-service.ts'
import { listViolations, sizes } from './console-page.ts'
import { createVisit, title } from './member-page.ts'

const browser = await getBrowser()
const visit = createVisit(browser)

test('an operator is invited, joins on a phone with a passkey, signs in again, and only reads', async () => {
  const { adminToken, origin, call } = await connectService()
  const name = `Sam ${Date.now()}`
  let url = ''
  await visit({ ...sizes.desk, bypassCSP: true }, async (page) => {
    await page.goto(`${origin}/console`)
    await page.getByRole('button', { name: 'Operator' }).click()
    await page.getByLabel('Operator token').fill(adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Operators' }).click()
    await title(page, 'Operators')
    await page.getByRole('button', { name: 'Add an operator' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Make link' }).click()
    const link = page.getByRole('textbox', { name: 'Invitation link' })
    url = await link.inputValue()
    expect(url).toMatch(/\/console\/join\/operator#\w{32}$/)
    expect(await listViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('table', { name: 'Operators' }).getByText(name).waitFor()
    expect(await listViolations(page)).toEqual([])
  })
  await visit({ ...sizes.phone, bypassCSP: true }, async (page) => {
    await page.goto(url)
    await page.getByRole('heading', { name: `Welcome, ${name}` }).waitFor()
    expect(await widthOf(page)).toBe(sizes.phone.viewport.width)
    expect(await listViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await title(page, 'Venues')
    await page.getByText(name).first().waitFor()
    expect(await page.getByRole('button', { name: 'New venue' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Operator' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await title(page, 'Venues')
    await page.goto(`${new URL(page.url()).origin}/console/operators`)
    await page.getByText(`${name} · You`).waitFor()
    expect(await page.getByRole('button', { name: /New link|Remove/ }).count()).toBe(0)
    expect(await widthOf(page)).toBe(sizes.phone.viewport.width)
    expect(await listViolations(page)).toEqual([])

    const { body: operators } = await call('GET', '/admin/operators', adminToken)
    const { id } = operators.find((operator: { name: string }) => operator.name === name)
    await call('DELETE', `/admin/operators/${id}`, adminToken)
    await page.reload()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  })
})
