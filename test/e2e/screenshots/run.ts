/**
 * `npm run screenshots`: makes the pictures of `docs/` and prints the table of pages in `docs/guests.md`. It needs Chromium and
 * pdftoppm; Lighthouse's scores also `npm ci --prefix test/foreign`. `npm run screenshots -- pictures` makes only the pictures;
 * with names of pages it measures only these.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { closeAtEnd, createService, type Service } from '../../support/service.ts'
import { launch } from '../browser.ts'
import { measurePages } from './measure.ts'
import { takePictures } from './pictures.ts'
import { createVenues } from './venues.ts'

const docs = resolve(import.meta.dirname, '../../../docs')
/** The origin in printed codes and of the pages in pictures. The browser finds the service there. */
const publicOrigin = 'http://menu.example.com'

/** Runs a service for a while. */
async function withService(
  variables: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await createService(undefined, variables)
  closeAtEnd(service)
  await work(service).finally(() => service.close())
}

const wanted = process.argv.slice(2)
const takesPictures = wanted.length === 0 || wanted.includes('pictures')
const measures = (name: string) => wanted.length === 0 || wanted.includes(name)

const scratch = await mkdtemp(join(tmpdir(), 'screenshots-'))
try {
  const takeAll = async (service: Service) => {
    const browser = await launch([`--host-resolver-rules=MAP menu.example.com ${new URL(service.origin).host}`])
    const venues = await createVenues(service, publicOrigin)
    await takePictures(browser, venues, docs, scratch).finally(() => browser.close())
  }
  if (takesPictures) await withService({ PUBLIC_BASE_URL: publicOrigin }, takeAll)
  // Measured at their own origin: Lighthouse wants HTTPS everywhere else.
  const measureAll = async (service: Service) => {
    const browser = await launch()
    const { otter, german, arabic, huge } = await createVenues(service, service.origin)
    const { body: sheet } = await otter.post('/tags/sheet-link', {})
    const { body: chip } = await otter.post(`/tags/${otter.tables[0]}/nfc-link`, {})
    const pages: [name: string, address: string][] = [
      ['Menu of 61 products', otter.page],
      ['Menu in Arabic', arabic.page],
      ['Menu of 1,000 products', huge.page],
      ['Allergens', `${german.page}/allergens`],
      ['Unknown code', `${service.origin}/t/0000-0000-0000-0000`],
      ['Type a code', `${service.origin}/t`],
      ['Sheet of 24 stickers', sheet.url],
      ['Chip writer', chip.url],
      ['Front page', `${service.origin}/`],
      ['Reference', `${service.origin}/docs`],
      ['Guide', `${service.origin}/docs/guides/guests`],
      ['Sign-in to the console', `${service.origin}/console`],
    ]
    const chosen = pages.filter(([name]) => measures(name))
    await measurePages(browser, chosen).finally(() => browser.close())
  }
  if (`${wanted}` !== 'pictures') await withService({}, measureAll)
} finally {
  await rm(scratch, { recursive: true, force: true })
}
