import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemCodes } from '../../src/platform/http/openapi/problem-schema.ts'
import { firstGuides, toolGuides } from '../../tools/openapi/site/guide-groups.ts'
import { getBrowser, listAxeViolations, listColourViolations, visit, widthOf } from './browser.ts'
import { isLong, takeShare } from './rounds.ts'
import { savePicture } from './save-picture.ts'
import { createVenueService } from './venue-service.ts'

const desktop = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }

const browser = await getBrowser()
const site = await createVenueService()

const pages = [
  ...['/docs/errors', '/docs', '/', '/docs/guides', '/docs/guides/guests'],
  '/docs/guides/recipe-go-create-once',
]
interface Seen {
  browserErrors: string[]
  requests: string[]
}
/** A message of the program that renders the reference. */
const greeting = /^@scalar\/api-reference@/
/** Requests to other hosts than the service. */
const findForeign = (requests: readonly string[]) =>
  requests
    .map((request) => request.split(' ')[1])
    .filter((host) => host !== new URL(site.origin).host && host !== 'data:')

describe.each(takeShare(pages, 2))('%s', (path) => {
  /** Files that the shared visit has loaded. */
  let seen: Seen
  let page: Page
  let leave: () => Promise<void>
  beforeAll(async () => {
    const opened = Promise.withResolvers<{ page: Page; seen: Seen }>()
    const left = Promise.withResolvers<void>()
    const visited = visit(browser, site.origin + path, {}, async (page, seen) => {
      opened.resolve({ page, seen })
      await left.promise
    })
    leave = () => {
      left.resolve()
      return visited
    }
    ;({ page, seen } = await Promise.race([opened.promise, visited.then(() => opened.promise)]))
  })
  afterAll(() => leave?.())

  test('loads nothing from other hosts, without browser errors', () => {
    expect(seen.browserErrors).toEqual([])
    expect(seen.requests.length).toBeGreaterThan(1)
    expect(findForeign(seen.requests)).toEqual([])
  })

  test.each([320, 390, 768, 1280])('never scrolls sideways, %i pixels wide', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    expect(await widthOf(page)).toBe(width)
  })

  test('has a description, and lets tools that judge it read robots.txt', async () => {
    const description = await page.locator('meta[name=description]').getAttribute('content')
    expect(description?.length).toBeGreaterThan(20)
    expect(await page.evaluate("fetch('/robots.txt').then(({ status }) => status)")).toBe(200)
  })

  test('has no broken links', async () => {
    const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links.length).toBeGreaterThan(0)
    const own = links.filter((link) => !link?.startsWith('http'))
    const missing: (string | null)[] = []
    for (const path of new Set(own.map((link) => link?.replace(/#.*/, '') ?? '').filter(Boolean))) {
      if ((await fetch(site.origin + path)).status !== 200) missing.push(path)
    }
    const targets = JSON.stringify(own.filter((link) => link?.startsWith('#')))
    missing.push(
      ...(await page.evaluate<string[]>(
        `${targets}.filter((link) => document.getElementById(link.slice(1)) === null)`,
      )),
    )
    expect(missing).toEqual([])
  })

  test('axe finds no issues in both themes', async () => {
    await visit(browser, site.origin + path, { bypassCSP: true }, async (page) => {
      // The reference repeats the forms of an operation and of a schema hundreds of times.
      if (!isLong)
        await page.evaluate(
          'document.querySelectorAll("article, #schemas section").forEach((each, index) => index % 16 > 0 && each.remove())',
        )
      expect(await listAxeViolations(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await listColourViolations(page)).toEqual([])
    })
  })
})

test('axe finds no issues in the guides for integrators, which fit a phone with one script, in both themes', async () => {
  const options = { bypassCSP: true, viewport: { width: 320, height: 800 } }
  await visit(browser, `${site.origin}/docs/guides`, options, async (page) => {
    for (const name of takeShare([...firstGuides, ...toolGuides], 3)) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${site.origin}/docs/guides/${name}`)
      expect([name, await widthOf(page), await page.locator('script').count()]).toEqual([name, 320, 1])
      expect([name, await listAxeViolations(page)]).toEqual([name, []])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect([name, await listColourViolations(page)]).toEqual([name, []])
    }
  })
})

test('the pictures of a guide have their size before they load', async () => {
  await visit(browser, 'about:blank', { viewport: desktop }, async (page) => {
    // They never load.
    await page.route(/\.(png|jpg)$/, () => undefined)
    await page.goto(`${site.origin}/docs/guides/guests`, { waitUntil: 'domcontentloaded' })
    // Not `waitForFunction`, which the page's policy does not let evaluate a text again.
    await expect.poll(() => page.evaluate('document.styleSheets.length')).toBeGreaterThan(0)
    const pictures = await page.evaluate<{ given: number; shown: number }[]>(
      '[...document.images].map((image) => ({ given: image.getAttribute("width") / image.getAttribute("height"), shown: parseFloat(getComputedStyle(image).width) / parseFloat(getComputedStyle(image).height) }))',
    )
    expect(pictures.length).toBeGreaterThan(3)
    for (const { given, shown } of pictures) expect(shown).toBeCloseTo(given, 1)
  })
})

test('the reference lays out only what is near the screen', async () => {
  await visit(browser, `${site.origin}/docs`, { viewport: desktop }, async (page) => {
    const [shown, all] = await page.evaluate<[number, number]>(
      '[...document.querySelectorAll("article > h3")].reduce(([shown, all], heading) => [shown + heading.checkVisibility({ contentVisibilityAuto: true }), all + 1], [0, 0])',
    )
    expect(all).toBeGreaterThan(150)
    expect(shown).toBeLessThan(all / 4)
  })
})

test('the type of every problem links to its section of the page', async () => {
  await visit(browser, `${site.origin}/docs/errors`, {}, async (page) => {
    for (const code of problemCodes) {
      await page.goto(`${site.origin}/docs/errors#${code}`)
      expect(await page.locator(':target').textContent()).toBe(code)
    }
  })
})

test('the browser scrolls to that section', async () => {
  const last = problemCodes.at(-1)
  await visit(browser, `${site.origin}/docs/errors#${last}`, { viewport: phone }, async (page) => {
    const place = async () => (await page.locator(':target').boundingBox())?.y ?? Number.POSITIVE_INFINITY
    await expect.poll(place, { timeout: 10_000 }).toBeLessThan(phone.height)
  })
})

/** The reference once it is drawn. */
async function drawn(page: Page) {
  await page.getByRole('heading', { level: 1, name: 'Merchant Ordering API' }).waitFor()
  await page.waitForLoadState('networkidle')
}

describe('/docs/try', () => {
  test.runIf(isLong)(
    'is rendered in both themes by a local script that loads nothing from other hosts, sends example requests to the service, and fits a phone',
    async () => {
      await visit(
        browser,
        `${site.origin}/docs/try`,
        { viewport: desktop },
        async (page, { browserErrors, requests }) => {
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            await drawn(page)
            for (const name of ['Products', 'Webhooks', 'Notifications']) {
              await page.getByText(name, { exact: true }).first().waitFor()
            }
            expect(browserErrors.filter((text) => !greeting.test(text))).toEqual([])
            expect(findForeign(requests)).toEqual([])
            expect(requests.length).toBeGreaterThanOrEqual(4)
            expect(await widthOf(page)).toBe(desktop.width)
          }
          await page
            .getByRole('button', { name: /Test Request/ })
            .first()
            .click()
          const answered = page.waitForResponse((response) =>
            new URL(response.url()).pathname.startsWith('/merchants/'),
          )
          await page.getByRole('button', { name: /^Send/ }).first().click()
          expect((await answered).status()).toBe(401)
          expect(new URL((await answered).url()).search).toBe('')
          expect(findForeign(requests)).toEqual([])
          expect(browserErrors.filter((text) => /Content Security Policy/.test(text))).toEqual([])
          await page.setViewportSize(phone)
          await expect.poll(() => widthOf(page)).toBe(phone.width)
        },
      )
    },
  )

  test('links to alternatives if JavaScript is disabled', async () => {
    await visit(browser, `${site.origin}/docs/try`, { javaScriptEnabled: false }, async (page) => {
      expect(await page.getByRole('link', { name: 'the reference' }).getAttribute('href')).toBe('/docs')
    })
  })
})

test.each(['landing', 'reference'] as const)('matches docs/%s.png', async (name) => {
  const path = name === 'landing' ? '/' : '/docs'
  const shots: string[] = []
  for (const [colorScheme, viewport] of [
    ['light', desktop],
    ['dark', phone],
  ] as const) {
    await visit(browser, site.origin + path, { colorScheme, viewport }, async (page) => {
      shots.push((await page.screenshot()).toString('base64'))
    })
  }
  const [wide, narrow] = shots
  await visit(browser, 'about:blank', { viewport: { width: 1324, height: 720 } }, async (page) => {
    await page.setContent(
      `<style>body{margin:0;padding:30px;display:flex;gap:20px;background:#d9d3ca}img{height:660px;border-radius:12px}</style><img src="data:image/png;base64,${wide}"><img src="data:image/png;base64,${narrow}">`,
    )
    await savePicture(name, await page.screenshot())
  })
})
