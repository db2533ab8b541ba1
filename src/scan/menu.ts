import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { merchantDatabase } from '../core/database.ts'
import { ApiError, notFound } from '../core/errors.ts'
import { etagOf, isKept } from '../core/etag.ts'
import { log } from '../core/log.ts'
import { invalidParameter } from '../core/pagination.ts'
import type { Env } from '../env.ts'
import { freshSeconds, type Perishable, pastEdge, throughEdge } from './edge.ts'
import { namesOf } from './entry.ts'
import { invalidPage, unavailablePage, unknownPage } from './errors.ts'
import { languageNamed } from './language.ts'
import { type Offer, offer as offerSchema, readOffer } from './offer.ts'
import { respond } from './page.ts'
import { labelOf, renderOffer, writingFor } from './render.ts'
import { languageOfWords } from './words.ts'

/** An offer as data: besides, how the venue writes, and what the tag says for people. */
export const menuData = z.extend(offerSchema, {
  venue: z.extend(offerSchema.shape.venue, {
    language: z.optional(z.string()),
    direction: z.enum(['ltr', 'rtl']),
    locale: z.string(),
  }),
  tag: z.optional(z.extend(offerSchema.shape.tag.def.innerType, { label: z.string() })),
})

const merchantForm = /^mer_[0-9a-hjkmnp-tv-z]{26}$/
/** The last day of the year 9999: calendars that people use go on, but four digits do not. */
const lastMoment = 253_402_214_400

const moment = z.pipe(
  z.union([
    z.pipe(z.string().check(z.regex(/^\d{1,12}$/)), z.transform(Number)),
    z.pipe(
      z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]),
      z.transform((time) => Math.floor(Date.parse(time) / 1000)),
    ),
  ]),
  z.number().check(z.minimum(0), z.maximum(lastMoment)),
)

/** The moment a request asks about; undefined where it names none, and `invalid` where it cannot be read. */
function momentOf(c: Context): number | undefined | 'invalid' {
  const at = c.req.query('at')
  if (at === undefined) return undefined
  // A plus sign that was not encoded arrives as a blank.
  const read = moment.safeParse(at.replace(/ (?=\d\d:\d\d$)/, '+'))
  return read.success ? read.data : 'invalid'
}

/** What a guest asks for: nothing else in a request has any influence on the answer. */
interface Question {
  merchantId: string
  tagName: string | undefined
  /** Absent: now. */
  at: number | undefined
}

function questionOf(c: Context, merchantId: string, at: number | undefined): Question {
  const tagName = c.req.query('tag')
  const isName = tagName !== undefined && namesOf(tagName).length > 0
  return { merchantId, tagName: isName ? tagName : undefined, at }
}

/** Answers a question, kept at the edge where it is about now. On a developer's machine every change shows at once. */
async function answer(
  c: Context<Env>,
  { merchantId, tagName, at }: Question,
  form: readonly string[],
  present: (offer: Offer | undefined) => Response | Promise<Response>,
): Promise<Response> {
  const make = async (): Promise<Perishable> => {
    const nowMs = Date.now()
    const database = merchantDatabase(c.env, merchantId)
    const offer = await readOffer(database, { merchantId, tagName, at: at ?? Math.floor(nowMs / 1000) })
    const changesAt = (at === undefined && offer?.nextChangeAt) || Number.POSITIVE_INFINITY
    const response = await present(offer)
    if (response.ok) response.headers.set('etag', await etagOf(await response.clone().text()))
    return { response, untilMs: Math.min(nowMs + freshSeconds * 1000, changesAt * 1000) }
  }
  const isDirect = at !== undefined || c.env.ALLOW_INSECURE_WEBHOOKS
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const response = await (isDirect
    ? pastEdge(make)
    : throughEdge([...form, merchantId, tagName ?? ''], make, later, c.env))
  const { headers } = response
  return isKept(headers.get('etag') ?? '', c.req.raw) && response.ok
    ? new Response(null, { status: 304, headers })
    : response
}

async function showPage(c: Context<Env>, merchantId: string): Promise<Response> {
  const at = momentOf(c)
  if (!merchantForm.test(merchantId)) return unknownPage(c)
  if (at === 'invalid') return invalidPage(c)
  const question = questionOf(c, merchantId, at)
  const asked = languageNamed(c.req.query('lang'))
  const language = languageOfWords(asked, c.req.header('accept-language'))
  try {
    return await answer(c, question, ['html', language, asked ?? ''], (offer) => {
      if (!offer) return unknownPage(c)
      // A search engine has no use for one table's page, nor for one of a test.
      const isMain = question.tagName === undefined && at === undefined
      return respond(renderOffer(offer, writingFor(offer, asked), language), 200, {
        ...(isMain ? {} : { 'x-robots-tag': 'noindex' }),
        ...(asked === undefined ? { vary: 'Accept-Language' } : {}),
      })
    })
  } catch (error) {
    log(c.env, 'menu not read', { error: String(error) })
    return unavailablePage(c)
  }
}

async function showData(c: Context<Env>, merchantId: string): Promise<Response> {
  const at = momentOf(c)
  if (!merchantForm.test(merchantId)) throw notFound()
  if (at === 'invalid') {
    throw invalidParameter('at', 'invalid_format', 'must be seconds since 1970, or an ISO 8601 time with its offset')
  }
  return answer(c, questionOf(c, merchantId, at), ['json'], (offer) => {
    if (!offer) throw notFound()
    const { venue, tag, ...rest } = offer
    const shown = tag && { ...tag, label: tag.metadata.map(labelOf).join(', ') }
    const data: z.output<typeof menuData> = {
      venue: { ...venue, ...writingFor(offer, undefined) },
      tag: shown,
      ...rest,
    }
    return Response.json(data)
  })
}

const isData = (path: string) => path.endsWith('.json')

const isNowhere = (error: unknown) =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'malformed_path')

/** The menu of a merchant as guests see it, `/:merchantId`, and as data, `/:merchantId.json`. */
export const menuPages = new Hono<Env>()
  .use(async (c, next) => {
    try {
      await next()
    } catch (error) {
      if (isNowhere(error)) return unknownPage(c)
      throw error
    }
    if (isData(c.req.path)) c.header('Access-Control-Allow-Origin', '*')
    return undefined
  })
  .get('/:merchantId', (c) => {
    const name = c.req.param('merchantId')
    return isData(name) ? showData(c, name.slice(0, -'.json'.length)) : showPage(c, name)
  })
