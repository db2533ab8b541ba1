import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { visit } from '../browser.ts'
import type { Venues } from './venues.ts'

const run = promisify(execFile)

const phone = { width: 390, height: 844 }
const desk = { width: 1_280, height: 800 }
/** A time at which the venues are open. */
const noon = 'at=2026-11-21T11:00:00Z'

/** Whether all pictures in the window have loaded. Those in closed `details` load when these are opened. */
const picturesAreShown = `[...document.images].every((image) => {
  const { top, bottom, height } = image.getBoundingClientRect()
  return !image.checkVisibility() || height === 0 || bottom < 0 || top > innerHeight || (image.complete && image.naturalWidth > 0)
})`

interface Shot {
  address: string
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  locale?: string
  /** Scrolls to what the picture is about. */
  prepare?: (page: Page) => Promise<unknown>
}

/** Makes the pictures of the documentation. Each shows several pages side by side. */
export async function takePictures(browser: Browser, venues: Venues, docs: string, scratch: string) {
  const take = ({ address, viewport = phone, colorScheme = 'light', locale = 'en-GB', prepare }: Shot) =>
    visit(browser, address, { viewport, colorScheme, locale, deviceScaleFactor: 1.5 }, async (page) => {
      await prepare?.(page)
      while (!(await page.evaluate<boolean>(picturesAreShown))) await page.waitForTimeout(50)
      return { viewport, data: (await page.screenshot()).toString('base64') }
    })

  /** Writes pictures of pages side by side, at a height in pixels. */
  async function combine(name: string, height: number, shots: readonly Shot[]) {
    const taken = []
    for (const shot of shots) taken.push(await take(shot))
    const images = taken.map(({ viewport, data }) => {
      const width = Math.round((viewport.width * height) / viewport.height)
      return { width, html: `<img width="${width}" height="${height}" src="data:image/png;base64,${data}">` }
    })
    const width = images.reduce((sum, image) => sum + image.width + 20, 20)
    const context = await browser.newContext({ viewport: { width, height: height + 40 } })
    const page = await context.newPage()
    await page.setContent(
      `<style>body{margin:0;padding:20px;display:flex;gap:20px;background:#d9d3ca}img{border-radius:14px}</style>${images.map(({ html }) => html).join('')}`,
    )
    await page.screenshot({ path: join(docs, `${name}.jpg`), type: 'jpeg', quality: 82 })
    await context.close()
  }

  /** Writes the first page of a PDF as a picture. */
  async function draw(name: string, pdf: Uint8Array, resolution: number) {
    const file = join(scratch, `${name}.pdf`)
    await writeFile(file, pdf)
    const format = ['-r', `${resolution}`, '-png', '-singlefile']
    await run('pdftoppm', [...format, file, join(docs, name)])
  }

  const at = (page: string, query = '') => `${page}?${noon}${query}`
  const { otter, german, arabic, japanese, huge } = venues
  const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'
  /** Scrolls a dish to the middle of the page, twice: only dishes near the window are laid out, and the heights of others are estimates. */
  const showDish = (title: string) => async (page: Page) => {
    for (let time = 0; time < 2; time++) {
      await page.evaluate(
        `[...document.querySelectorAll('.dish')].find((dish) => dish.textContent.includes('${title}')).scrollIntoView({ behavior: 'instant', block: 'center' })`,
      )
      await page.evaluate(nextFrame)
    }
  }

  await combine('menu-languages', 560, [
    { address: at(otter.page, `&tag=${otter.tables[3]}`) },
    { address: at(german.page, `&tag=${german.tables[6]}`), locale: 'de-DE', colorScheme: 'dark' },
    { address: at(arabic.page, `&tag=${arabic.tables[1]}`), locale: 'ar-AE' },
    { address: at(japanese.page, `&tag=${japanese.tables[4]}`), locale: 'ja-JP', colorScheme: 'dark' },
  ])
  await combine('menu-desk', 440, [
    { address: at(otter.page), viewport: desk },
    { address: at(otter.page), viewport: desk, colorScheme: 'dark' },
  ])
  await combine('menu-states', 560, [
    { address: `${german.page}?at=2026-11-21T05:00:00Z`, locale: 'de-DE' },
    { address: at(otter.page), prepare: showDish('Avocado toast') },
    { address: huge.page, prepare: showDish('Noodles, No. 25') },
  ])

  await combine('allergens', 440, [
    { address: `${german.page}/allergens`, viewport: { width: 1_000, height: 560 }, locale: 'de-DE' },
    { address: `${german.page}/allergens`, locale: 'de-DE', viewport: { width: 390, height: 560 } },
  ])

  const printed = await visit(browser, at(otter.page), {}, async (page) =>
    page.pdf({ format: 'A4', margin: { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' } }),
  )
  await draw('menu-print', printed, 55)
  await draw('sheet-stickers', await otter.get('/tags/sheet.pdf'), 60)
  await draw('sheet-tents', await otter.get('/tags/sheet.pdf?layout=tents'), 45)
  await draw('sheet-avery', await german.get('/tags/sheet.pdf?layout=avery-l7160'), 75)
  await draw('tent-arabic', await arabic.get('/tags/sheet.pdf?layout=a6-tents'), 60)
}
