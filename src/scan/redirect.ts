import { type Context, Hono } from 'hono'
import { merchantDatabase } from '../core/database.ts'
import { ApiError, notFound } from '../core/errors.ts'
import { isOverLimit, missed, networkOf } from '../core/limiter.ts'
import { log } from '../core/log.ts'
import { sessionOf } from '../core/session.ts'
import { isSigned } from '../core/signature.ts'
import { createStore, type Surroundings } from '../core/store.ts'
import type { Env } from '../env.ts'
import { nfcText, tags } from '../resources/tags.ts'
import { isGuest, record } from './count.ts'
import { deletedPage, limitedPage, unavailablePage, unknownPage } from './errors.ts'
import type { Resolved } from './memory.ts'
import type { Channel } from './messages.ts'
import type { InsistOnTag } from './qr.ts'
import { tagChanged, tagMissed } from './refresh.ts'
import { resolve } from './resolve.ts'
import { passedOn, withParameters } from './target.ts'

/** The redirect itself. A phone must ask again every time: where a tag leads may change, and then it must not be stuck. */
function redirect(c: Context<Env>, { tag, target }: Resolved): Response {
  const [, query = ''] = /\?([^#]*)/.exec(c.req.url) ?? []
  const location = withParameters(target ?? `/m/${tag.merchantId}?tag=${tag.id}`, passedOn(query))
  return new Response(null, {
    status: 302,
    headers: { location, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  })
}

/** `came` tells, behind the redirect, which way the guest came. */
async function answer(c: Context<Env>, came: (resolved: Resolved) => Promise<Channel>): Promise<Response> {
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const resolved = await resolve(c.env, c.req.param('name') ?? '', (tag, names) => later(tagMissed(c.env, tag, names)))
  if (resolved === 'unavailable') return unavailablePage(c)
  if (resolved === 'unknown')
    return (await isOverLimit(c.env, 'MISSES', networkOf(c))) ? limitedPage(c) : unknownPage(c)
  if (resolved.tag.gone) return deletedPage(c)
  if (isGuest(c.req.raw)) later(came(resolved).then((channel) => record(c.env, resolved.tag, resolved.venue, channel)))
  return redirect(c, resolved)
}

/** What a phone meets that has read a tag: `/t/…` from its symbol or a link, `/n/…` from its chip. */
export function createRedirects(surroundings: Surroundings) {
  const store = createStore(tags, surroundings)

  /** The signature is right only if the chip was read: nothing else can have told it. The first tap sets `nfc`, once. */
  async function tap(c: Context<Env>, { tag }: Resolved, given: string): Promise<Channel> {
    const { env } = c
    const { merchantId } = tag
    let channel: Channel = 'link'
    try {
      if (!(await isSigned(env, nfcText(tag.code), given))) return channel
      channel = 'nfc'
      if (tag.nfc) return channel
      c.set('scope', { merchantId, testMode: false })
      c.set('database', merchantDatabase(env, merchantId))
      const { item, version } = await store.update(sessionOf(c), tag.id, { patch: { nfc: true }, issues: [] })
      await tagChanged(env, merchantId, { item, version, deleted: false })
    } catch (error) {
      log('tap not recorded', { tag: tag.id, error: String(error) })
    }
    return channel
  }

  const scanned = (channel: Channel) => (c: Context<Env>) => answer(c, async () => channel)
  const tapped = (c: Context<Env>) => answer(c, (resolved) => tap(c, resolved, c.req.param('signature') ?? ''))
  // A printed symbol holds the address in capitals, which is how it is told from a link.
  return new Hono<Env>()
    .get('/t/:name', scanned('link'))
    .get('/T/:name', scanned('qr'))
    .get('/n/:name/:signature', tapped)
    .get('/N/:name/:signature', tapped)
}

/** The printed code of a tag, by any of its names; fails as pictures do: with a problem. */
export const insistOnTag: InsistOnTag = async (c, name) => {
  const found = await resolve(c.env, name, (tag, names) => c.executionCtx.waitUntil(tagMissed(c.env, tag, names)))
  if (found === 'unavailable') {
    throw new ApiError('unavailable', 'Where the tag leads cannot be read just now.', [], { 'retry-after': '5' })
  }
  if (found === 'unknown') throw await missed(c, notFound())
  if (found.tag.gone) throw new ApiError('gone', 'This tag was deleted.')
  return found.tag.code
}
