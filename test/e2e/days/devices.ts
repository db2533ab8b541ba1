import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { startCommand } from '../command.ts'
import { type Owner, sizes, visitConsole } from '../console/console-page.ts'

const tabletSize = { viewport: { width: 820, height: 1180 }, hasTouch: true }
/** How much the clock of the phone is ahead, in milliseconds. */
export const aheadMs = 2 * 3_600_000

/** Opens a screen on a tablet, and one on a phone whose clock is two hours ahead. */
export const openDevices = (
  browser: Browser,
  owner: Owner,
  screens: { tablet: string; phone: string },
  act: (tablet: Page, phone: Page) => Promise<void>,
) =>
  visitConsole(
    browser,
    owner,
    screens.tablet,
    (tablet) =>
      visitConsole(
        browser,
        owner,
        screens.phone,
        async (phone) => {
          await phone.clock.install({ time: Date.now() + aheadMs })
          await phone.reload()
          await act(tablet, phone)
        },
        sizes.phone,
      ),
    tabletSize,
  )

/** A tablet whose browser can be killed. Its data stays on the disk, as far as the browser has written it. */
export async function createTablet() {
  const folder = await mkdtemp(join(tmpdir(), 'tablet-'))
  let command: ReturnType<typeof startCommand> | undefined
  const kill = async () => {
    command?.kill()
    await command?.ended
    command = undefined
  }
  return {
    kill,
    /** Starts the browser. Returns a function that opens a page. */
    async start(): Promise<() => Promise<Page>> {
      const options = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']
      const own = [`--user-data-dir=${folder}`, '--remote-debugging-port=0', 'about:blank']
      command = startCommand('.', chromiumPath, ...options, ...own)
      const [address = ''] = /ws:\S+/.exec(await command.printed('/devtools/browser/')) ?? []
      const [context] = (await chromium.connectOverCDP(address)).contexts()
      if (!context) throw new Error('the browser has no window')
      return () => context.newPage()
    },
    /** Waits until the browser has written a text to the disk: it does so some seconds after the page has stored it. */
    waitUntilWritten: (text: string) =>
      expect
        .poll(async () => {
          const names = await readdir(folder, { recursive: true })
          const files = names.filter((name) => /Local Storage.*\.log$/.test(name))
          const contents = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')))
          return contents.join('')
        })
        .toContain(text),
    async remove() {
      await kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
