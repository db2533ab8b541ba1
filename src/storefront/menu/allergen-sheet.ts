import type { Context } from 'hono'
import { getBearerToken } from '../../platform/auth/authenticate.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { parseLanguage } from '../../platform/lib/languages/language-tag.ts'
import { log } from '../../platform/lib/log.ts'
import { invalidPage, limitedPage, suspendedPage, unavailablePage, unknownPage } from '../pages/error-pages.ts'
import type { FoodMessages } from '../pages/food/food-text-shape.ts'
import { readFoodMessages } from '../pages/food-messages.ts'
import type { Locale } from '../pages/locale.ts'
import { choosePageLanguage, fallbackLanguage, type PageLanguage, toPageLanguage } from '../pages/messages.ts'
import { fallbackFoodMessages, filterMenu } from './food.ts'
import { detectMenuLocale } from './menu-locale.ts'
import { parseMenuRequest, readParameter, toPdfUrl } from './menu-request.ts'
import { createMenuResponse, LimitedError } from './menu-response.ts'
import { describePreview } from './preview/preview-link.ts'
import { withPreview } from './preview/requested-preview.ts'
import type { PublicMenu } from './public-menu.ts'

/** Contents of an allergen sheet. */
export interface AllergenSheet {
  menu: PublicMenu
  venueLocale: Locale
  /** Language of the service's texts. */
  language: PageLanguage
  messages: FoodMessages
  /** Says that the menu is a preview or in test mode; undefined if guests see it. */
  band: string | undefined
  /** Says that the sheet lacks products or options of the menu; undefined if it has all. */
  truncated: string | undefined
  /** Address of the sheet as a PDF. */
  pdfUrl: string
}

const isSuspended = (error: unknown) => error instanceof ApiError && error.code === 'merchant_suspended'

/** The page for a menu that could not be read. The holder of a key gets the problem. */
export async function createFailurePage(c: Context<Env>, error: unknown): Promise<Response> {
  if (error instanceof ApiError && getBearerToken(c) !== '' && readParameter(c, 'at') !== undefined) throw error
  if (error instanceof LimitedError) return limitedPage(c)
  if (isSuspended(error)) return suspendedPage(c)
  log(c.env, 'menu not read', { error: String(error) })
  return unavailablePage(c)
}

/** The language of the service's texts on a menu. */
export const choosePageLanguageOf = (venueLocale: Locale, language: PageLanguage | undefined) =>
  language ?? toPageLanguage(venueLocale.language ?? '') ?? fallbackLanguage

/** The beginning of a text before its list: `Contains`. */
export const toLegend = (text: string) => text.replace(/[:：]?\s*\{list\}/, '')

/** Responds with the allergens of all products in a format. */
export async function createAllergenResponse(
  c: Context<Env>,
  merchantId: string,
  format: 'html' | 'pdf',
  render: (sheet: AllergenSheet) => Promise<Response>,
): Promise<Response> {
  const parsed = parseMenuRequest(c, merchantId)
  if (parsed === 'merchantId') return unknownPage(c)
  if (typeof parsed === 'string') return invalidPage(c)
  const requestedLanguage = parseLanguage(readParameter(c, 'lang'))
  const language = choosePageLanguage(requestedLanguage, c.req.header('accept-language'))
  try {
    const request = await withPreview(c, parsed)
    if (typeof request === 'string') return request === 'release' ? unknownPage(c) : invalidPage(c)
    return await createMenuResponse(
      c,
      // The sheet has all products of the menu from the first position on.
      { ...request, from: 0 },
      {
        key: ['allergens', format, language ?? '', ...(format === 'pdf' ? [] : [requestedLanguage ?? ''])],
        isCostly: format === 'pdf',
      },
      async (menu, { request }) => {
        if (!menu) return unknownPage(c)
        const venueLocale = detectMenuLocale(menu, requestedLanguage)
        const shown = choosePageLanguageOf(venueLocale, language)
        const { getMessages } = await import('../pages/languages/messages-by-language.ts')
        const pageMessages = getMessages(shown)
        const messages = (await readFoodMessages(c.env, shown)) ?? fallbackFoodMessages
        const bands = [
          ...(request.preview
            ? [describePreview(pageMessages.preview, request.preview, menu.venue.timezone, shown)]
            : []),
          ...(menu.testMode ? [pageMessages.test] : []),
        ]
        const response = await render({
          menu: filterMenu(menu, request.filter),
          ...{ venueLocale, messages, language: shown, pdfUrl: toPdfUrl(c, request) },
          band: bands.length > 0 ? bands.join(' · ') : undefined,
          truncated: menu.truncated ? pageMessages.truncated : undefined,
        })
        response.headers.set('vary', 'Accept-Language')
        response.headers.set('x-robots-tag', 'noindex')
        return response
      },
    )
  } catch (error) {
    return createFailurePage(c, error)
  }
}
