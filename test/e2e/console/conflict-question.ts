import type { Page } from 'playwright-core'

/** The question which of two versions stays. */
export const conflict = (page: Page) => page.getByRole('alertdialog', { name: 'Changed at the same time' })

/** Saves, and expects the question which of two versions stays. */
export async function saveInConflict(page: Page, row: string, choice: string) {
  await page.getByRole('button', { name: 'Save' }).click()
  await choose(page, row, choice)
}

/** Expects the question with both versions of a field, and answers it. */
export async function choose(page: Page, row: string, choice: string) {
  await conflict(page).getByRole('row', { name: row }).waitFor()
  await conflict(page).getByRole('button', { name: choice }).click()
}
