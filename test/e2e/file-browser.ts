import { afterAll } from 'vitest'
import { launch } from './browser.ts'

/** Starts a browser for a test file. It is closed after the tests of the file. */
export async function launchForFile() {
  const browser = await launch()
  afterAll(() => browser.close())
  return browser
}
