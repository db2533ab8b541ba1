import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, holdRequest, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

/** Presses Enter on a button twice while its request is held, and expects the focus on it before and after the response. */
async function pressTwice(page: Page, button: Locator, url: RegExp): Promise<void> {
  let count = 0
  page.on('request', (request) => {
    if (url.test(request.url())) count++
  })
  const { sent, release } = await holdRequest(page, url)
  const focused = button.and(page.locator(':focus'))
  await button.press('Enter')
  await sent
  await button.and(page.locator('[aria-disabled=true]')).waitFor({ timeout: 5_000 })
  expect(await focused.count()).toBe(1)
  await page.keyboard.press('Enter')
  release()
  await button.and(page.locator('[aria-disabled=false]')).waitFor({ timeout: 5_000 })
  expect(await focused.count()).toBe(1)
  expect(count).toBe(1)
}

test('Check and Download keep the focus and send one request', async () => {
  await visitConsole(browser, owner, '/import-export', async (page) => {
    const upload = page.getByLabel('File', { exact: true })
    const buffer = Buffer.from('title,price\nCrème,1\n', 'latin1')
    await upload.setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer })
    await pressTwice(page, page.getByRole('button', { name: 'Check' }), /\/imports\?/)
    await page.getByText('1 new, 0 left out.').waitFor()
    await pressTwice(page, page.getByRole('button', { name: 'Download' }), /\/export\?/)
    // A field that submits the form is disabled during the request.
    const { sent, release } = await holdRequest(page, /\/imports\b/)
    await page.getByRole('checkbox', { name: 'Delete objects' }).press('Enter')
    await sent
    expect(await upload.isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Check' }).and(page.locator(':focus')).count()).toBe(1)
    release()
  })
})

test('the button of the sign-in keeps the focus when the key is wrong', async () => {
  const page = await browser.newPage({ locale: 'en-GB' })
  await page.goto(`${owner.origin}/console`)
  await page.getByLabel('API key').fill('sk_live_wrong')
  await pressTwice(page, page.getByRole('button', { name: 'Sign in', exact: true }), /\/console\/session$/)
  await page.getByRole('alert').getByText('not valid').waitFor()
  await page.close()
})
