import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { takeShare } from '../rounds.ts'
import { connectService } from '../shared-service.ts'
import { createOwner, listViolations, type Owner, sizes } from './console-page.ts'

interface Screen {
  path: string
  /** Names of the buttons that open its forms. */
  forms: readonly string[]
  /** True if its own test examines it at this width too. */
  isExamined?: true
}
const screens: readonly Screen[] = [
  { path: 'today', isExamined: true, forms: [] },
  { path: 'products', isExamined: true, forms: ['Neues Produkt'] },
  { path: 'modifiers', isExamined: true, forms: ['Neue Option'] },
  { path: 'menus', isExamined: true, forms: ['Neue Karte'] },
  { path: 'coupons', isExamined: true, forms: ['Neuer Gutschein'] },
  { path: 'customers', isExamined: true, forms: ['Neuer Kunde'] },
  { path: 'tables', forms: ['Tische anlegen'] },
  { path: 'sold-out', forms: [] },
  { path: 'webhooks', forms: ['Neuer Webhook'] },
  { path: 'import-export', forms: [] },
  { path: 'settings', forms: ['Neuer Schlüssel'] },
]
const venues: Screen = { path: 'venues', forms: ['Neuer Betrieb', 'Three Otters'] }
const operators: Screen = { path: 'operators', forms: ['Betreiber hinzufügen'] }

const browser = await getBrowser()
let owner: Owner
beforeAll(async () => {
  owner = await createOwner()
  const { id } = await owner.post('/products', { title: 'Käsespätzle mit Röstzwiebeln', price: 12.5, sku: 'KS-1' })
  await owner.post('/menus', {
    title: 'Mittagskarte',
    begin: '1100',
    end: '1400',
    sections: [{ title: 'Hauptgerichte', items: [id] }],
  })
  await owner.post('/modifiers', {
    title: 'Beilage',
    instructions: '',
    options: [{ label: 'Salat', additionalCost: 1 }],
  })
  await owner.post('/coupons', { title: 'Zehn Prozent', code: 'ZEHN', type: 'PERCENTAGE', value: 10 })
  await owner.post('/customers', { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.com' })
  await owner.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
})

const waitUntilLoaded = async (page: Page) => {
  await page.locator('[aria-busy=true], .hint:text-is("Lädt")').first().waitFor({ state: 'detached' })
  await page.getByText('Lädt', { exact: true }).first().waitFor({ state: 'detached' })
}

/** Signs in as the operator, and leaves one venue in the list. */
async function showVenues(page: Page) {
  const { adminToken } = await connectService()
  await page.getByRole('button', { name: 'Konto' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await page.getByRole('button', { name: 'Betreiber' }).click()
  await page.getByLabel('Betreiber-Token').fill(adminToken)
  await page.keyboard.press('Enter')
  await page.getByRole('searchbox', { name: 'Betriebe suchen' }).fill(owner.id)
  await expect.poll(() => page.getByRole('table', { name: 'Betriebe' }).getByRole('row').count()).toBe(2)
}

/** Opens the console in German, and visits one screen after the other: those of a venue, then that of the operator. */
async function visitAll(
  options: object,
  act: (page: Page, screen: Screen) => Promise<void>,
  visited: readonly Screen[] = screens,
) {
  const context: BrowserContext = await browser.newContext({ locale: 'de-DE', bypassCSP: true, ...options })
  try {
    const page = await context.newPage()
    const browserErrors: string[] = []
    page.on('pageerror', (error) => browserErrors.push(error.message))
    await page.goto(`${owner.origin}/console/today#key=${owner.key}`)
    for (const screen of visited) {
      await page.locator(`#navigation a[href="/console/${screen.path}"]`).dispatchEvent('click')
      await waitUntilLoaded(page)
      await act(page, screen)
    }
    await showVenues(page)
    await act(page, venues)
    await page.locator('#navigation a[href="/console/operators"]').dispatchEvent('click')
    await page.getByRole('button', { name: 'Betreiber hinzufügen' }).waitFor()
    await act(page, operators)
    expect(browserErrors).toEqual([])
  } finally {
    await context.close()
  }
}

/** Opens a form by the keyboard, and closes it by its button. */
async function visitForm(page: Page, name: string, act: () => Promise<void>) {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
  const cancel = page
    .getByRole('button', { name: /^(?:Abbrechen|Schließen)$/ })
    .filter({ visible: true })
    .first()
  await cancel.waitFor()
  await waitUntilLoaded(page)
  await act()
  await cancel.focus()
  await page.keyboard.press('Enter')
  await cancel.waitFor({ state: 'detached' })
}

/** Texts of buttons, links, labels and headings that are wider or higher than their place. Titles of objects in lists may be. */
const listCutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(`
    [...document.querySelectorAll('button, a, label, legend, h1, h2, h3, th, summary, option')].flatMap((each) => {
      const { overflowX, overflowY, position } = getComputedStyle(each)
      const isHidden = each.closest('.unseen, .skip, .open, [hidden]') || each.getClientRects().length === 0 || position === 'fixed'
      const isCut = (overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1) || (overflowY !== 'visible' && each.scrollHeight > each.clientHeight + 1)
      return !isHidden && isCut ? [each.outerHTML.slice(0, 160)] : []
    })
  `)

const narrowest = { width: 320, textSize: 200 }
test.each(takeShare([narrowest, { width: 320, textSize: 100 }, { width: 640, textSize: 200 }], 3))(
  'in German, all screens and forms fit $width px with text of $textSize %, and no label is cut off',
  async ({ width, textSize }) => {
    await visitAll({ viewport: { width, height: 700 } }, async (page, { path, forms }) => {
      await page.evaluate(`document.documentElement.style.fontSize = "${textSize}%"`)
      const check = async (part: string) => {
        expect([path, part, await widthOf(page)]).toEqual([path, part, width])
        expect([path, part, await listCutTexts(page)]).toEqual([path, part, []])
      }
      await check('screen')
      for (const form of forms) await visitForm(page, form, () => check(form))
    })
  },
)

test('forms are accessible in both themes, and closing one returns the focus', async () => {
  await visitAll(
    sizes.desk,
    async (page, { path, forms, isExamined }) => {
      if (!isExamined) expect([path, await listViolations(page)]).toEqual([path, []])
      for (const form of forms) {
        await visitForm(page, form, async () => {
          expect([path, form, await listViolations(page)]).toEqual([path, form, []])
        })
        // The focus returns with the next frame.
        const readFocused = () =>
          page.evaluate(
            'document.activeElement.tagName + " " + document.activeElement.id + document.activeElement.innerText.slice(0, 30)',
          )
        await expect
          .poll(async () => [path, form, await readFocused()])
          .not.toEqual([path, form, expect.stringMatching(/^(?:BODY|HTML)/)])
      }
    },
    takeShare(screens, 2),
  )
})

test('the palette and the list of keys are accessible in both themes, and return the focus', async () => {
  const context = await browser.newContext({ ...sizes.desk, locale: 'en-GB', bypassCSP: true })
  const page = await context.newPage()
  await page.goto(`${owner.origin}/console/products#key=${owner.key}`)
  const search = page.getByRole('searchbox', { name: 'Search products' })
  await search.focus()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Go to' })
  await palette.getByRole('option').first().waitFor()
  expect(await listViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  await search.and(page.locator(':focus')).waitFor()
  const go = page.getByRole('button', { name: 'Go to' })
  await go.focus()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  expect(await listViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await go.and(page.locator(':focus')).waitFor()
  await context.close()
})

test('Tab reaches every control of every screen, leaves it again, and shows where it is', async () => {
  await visitAll(
    sizes.desk,
    async (page, { path }) => {
      const controls = Number(
        await page.evaluate(`
        document.activeElement.blur()
        window.visited = new Set()
        window.unmarked = []
        window.controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, iframe, [tabindex="0"]')].filter((each) =>
          each.checkVisibility() && !each.disabled && each.tabIndex >= 0)
        window.controls.length
      `),
      )
      // Fields for dates have several stops, and the preview of a menu has its own.
      for (let presses = 0; presses < 2 * controls + 40; presses++) {
        await page.keyboard.press('Tab')
        const hasReturned = await page.evaluate(`
        (() => {
          const each = document.activeElement
          const [first] = window.visited
          const isOutside = each === document.body || each === first
          if (isOutside && window.controls.every((control) => window.visited.has(control))) return true
          if (each === document.body || window.visited.has(each)) return false
          window.visited.add(each)
          // The outline of a price surrounds its currency too, that of a switch its track.
          const isMarked = [each, each.parentElement, each.querySelector('.track')].some((part) => {
            const { outlineStyle, outlineWidth } = part ? getComputedStyle(part) : {}
            return part && outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
          })
          if (!isMarked && each.tagName !== 'IFRAME') window.unmarked.push(each.outerHTML.slice(0, 160))
          return false
        })()
      `)
        if (hasReturned) break
      }
      expect([path, await page.evaluate('window.unmarked')]).toEqual([path, []])
      const missed = await page.evaluate(`
      window.controls.filter((each) => each.isConnected && each.type !== 'radio' && !window.visited.has(each)).map((each) => each.outerHTML.slice(0, 160))
    `)
      expect([path, missed]).toEqual([path, []])
    },
    takeShare(screens, 3),
  )
})
