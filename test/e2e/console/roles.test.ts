import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { sizes, waitForStatus } from './console-page.ts'
import { createVenue, createVisit, join, title } from './member-page.ts'

const visit = createVisit(await getBrowser())

const role = (page: Page, name: string) => page.getByRole('combobox', { name: `Role of ${name}` })

/** Shows the people of a venue to its owner Zoë, where another person has joined. */
async function visitPeople(other: 'owner' | 'staff', name: string, act: (page: Page) => Promise<void>) {
  const venue = await createVenue()
  await visit(sizes.desk, async (page) => {
    await join(page, await venue.invite('owner'), 'Zoë')
    await title(page, 'Today')
    await visit(sizes.phone, async (phone) => {
      await join(phone, await venue.invite(other), name)
      await title(phone, 'Today')
    })
    await page.getByRole('link', { name: 'Settings' }).click()
    await act(page)
  })
}

test('a key press changes the own role only after a question, and the screen shows what the new role may see', async () => {
  await visitPeople('owner', 'Ann', async (page) => {
    const question = page.getByRole('alertdialog', { name: 'Change your own role to Manager?' })
    await role(page, 'Zoë').press('ArrowDown')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await role(page, 'Zoë').inputValue()).toBe('owner')
    await role(page, 'Zoë').press('ArrowDown')
    await question.getByRole('button', { name: 'Change my role' }).click()
    await waitForStatus(page, 'Zoë now has the role Manager.')
    await page.getByRole('table', { name: 'People' }).waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Your passkeys' }).getByRole('textbox').waitFor()
    expect(await page.getByRole('alert').getByRole('button').count()).toBe(0)
  })
})

test('a change of the role of another person is undone', async () => {
  await visitPeople('staff', 'Bo', async (page) => {
    await role(page, 'Bo').press('ArrowDown')
    await waitForStatus(page, 'Bo now has the role Developer.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForStatus(page, 'Bo now has the role Staff.')
    await expect.poll(() => role(page, 'Bo').inputValue()).toBe('staff')
  })
})
