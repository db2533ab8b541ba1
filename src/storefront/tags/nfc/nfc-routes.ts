import { type Context, Hono } from 'hono'
import { createCaller, getRenderContext } from '../../../catalogue/resource/caller.ts'
import { retrieveObject } from '../../../catalogue/resource/store/read.ts'
import { createStore } from '../../../catalogue/resource/store/store.ts'
import { tags, toNfcSignedText } from '../../../catalogue/resources/tags.ts'
import { requireScope } from '../../../platform/auth/authenticate.ts'
import { signHmac } from '../../../platform/auth/hmac.ts'
import { checkLink, signLink } from '../../../platform/auth/signed-link.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { readPublicUrl } from '../../../platform/http/public-url.ts'
import {
  deletedPage,
  expiredLinkPage,
  getRequestedLanguage,
  privateHeaders,
  suspendedPage,
  unavailablePage,
  unknownPage,
} from '../../pages/error-pages.ts'
import { fallbackLanguage } from '../../pages/messages.ts'
import { readStaffMessages } from '../../pages/staff-messages.ts'
import { toTagTitle } from '../../pages/tag-label.ts'
import { readVenue } from '../../pages/venue.ts'
import { resolveScan } from '../resolve.ts'

/** Purpose in the signature of links to this page. */
const purpose = 'nfc-link'
const store = createStore(tags)

/** Creates links to the page that writes a tag's chip. A link works without an API key. */
export const nfcLinkRoutes = new Hono<Env>().post(
  '/:id/nfc-link',
  requireScope('tags:write'),
  idempotent,
  async (c) => {
    const { item } = await retrieveObject(store, createCaller(c), { id: c.req.param('id') })
    const { baseUrl } = getRenderContext(c)
    if (baseUrl === undefined)
      throw new ApiError('conflict', 'No public URL is configured, so there is no URL to write to a chip.')
    const { expiresAt, seal } = await signLink(c.env, purpose, item.code)
    return c.json({ url: `${baseUrl}/chip/${item.code}/${expiresAt}/${seal}`, expiresAt }, 201)
  },
)

async function createNfcPage(c: Context<Env>): Promise<Response> {
  const { code = '', expires = '', seal = '' } = c.req.param()
  if (readPublicUrl(c.env).issue !== undefined) return unavailablePage(c)
  const { baseUrl } = getRenderContext(c)
  const state = baseUrl ? await checkLink(c.env, purpose, { content: code, expires, seal }) : 'invalid'
  if (state === 'expired') return expiredLinkPage(c)
  if (state === 'invalid') return unknownPage(c)
  const found = await resolveScan(c.env, code, () => undefined)
  if (found === 'unavailable' || found === 'limited') return unavailablePage(c)
  if (found === 'unknown') return unknownPage(c)
  if (found.tag.gone) return deletedPage(c)
  if (found.venue.suspended) return suspendedPage(c)
  const url = `${baseUrl}/n/${code}/${await signHmac(c.env, toNfcSignedText(code))}`
  const entries = found.tag.shown.map(([key, value]) => ({ key, value }))
  // A chip can be written even if the name of the venue cannot be read.
  const venue = await readVenue(c.env, found.tag.merchantId).catch(() => undefined)
  const language = getRequestedLanguage(c) ?? venue?.getLanguage(toTagTitle(entries)) ?? fallbackLanguage
  const messages = await readStaffMessages(c.env, language)
  const label = toTagTitle(entries, language)
  const [{ renderNfcPage }, { createPageResponse }] = await Promise.all([
    import('./nfc-page.ts'),
    import('../../pages/page.ts'),
  ])
  return createPageResponse(
    renderNfcPage({ language, messages, label, code, url, venueName: venue?.name }),
    200,
    privateHeaders,
  )
}

/** The page that writes a chip, for Chrome on Android (Web NFC). */
export const nfcRoutes = new Hono<Env>().get('/chip/:code/:expires/:seal', createNfcPage)
