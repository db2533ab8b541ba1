import type { Context } from 'hono'
import * as z from 'zod/mini'
import { daySeconds, maxSeconds } from '../../platform/lib/day.ts'
import { getIdForm } from '../../platform/lib/ids.ts'
import { parseLanguage } from '../../platform/lib/languages/language-tag.ts'
import { parseTagNames, trimmed } from '../../platform/lib/tag-code.ts'
import { parseAcceptLanguage } from '../pages/messages.ts'
import { toWanted, type WantedLanguages } from './catalogue/content-language.ts'
import type { FoodFilter } from './contents/stated-contents.ts'
import { parseFoodFilter } from './food.ts'
import type { RequestedPreview } from './preview/preview-link.ts'

/** Form of a merchant's id. */
const merchantIdPattern = new RegExp(`^${getIdForm('mer')}$`)
/** Latest time of a menu, in seconds: a day before the year 10000, so that its local time has a year of four digits too. */
const maxMoment = maxSeconds + 1 - daySeconds
/** Larger than the number of positions of every menu. */
const maxFrom = 999_999

const momentParam = z.pipe(
  z.union([
    z.pipe(z.string().check(z.regex(/^\d{1,12}$/)), z.transform(Number)),
    z.pipe(
      z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]),
      z.transform((time) => Math.floor(Date.parse(time) / 1000)),
    ),
  ]),
  z.number().check(z.minimum(0), z.maximum(maxMoment)),
)

/** The time that `at` names, in seconds; undefined if it is absent. */
/** The values of a parameter from the query. Otherwise from the path, if a program has joined the query to the id by escaping or omitting its `?`. */
function readValues(c: Context, name: string): string[] {
  const inQuery = c.req.queries(name)
  if (inQuery) return inQuery
  const [, tail] = /[?&#](.*)$/s.exec(c.req.param('merchantId') ?? '') ?? []
  return tail === undefined ? [] : new URLSearchParams(tail).getAll(name)
}
/** The first value of a parameter of a menu. */
export const readParameter = (c: Context, name: string): string | undefined => readValues(c, name)[0]
/** A parameter that is a list. It may be repeated: if a value were ignored, the menu would show products that a guest must not eat. */
function readList(c: Context, name: string): string | undefined {
  const values = readValues(c, name)
  return values.length === 0 ? undefined : values.join()
}

function parseMoment(c: Context): number | undefined | 'invalid' {
  const at = readParameter(c, 'at')
  if (at === undefined) return undefined
  // A plus sign that is not encoded arrives as a blank.
  const parsed = momentParam.safeParse(at.replace(/ (?=\d\d:\d\d$)/, '+'))
  return parsed.success ? parsed.data : 'invalid'
}

/** The position on the menu that `from` names, by default the first. */
function parseFrom(c: Context): number | 'invalid' {
  const from = readParameter(c, 'from')
  if (from === undefined) return 0
  return /^\d{1,6}$/.test(from) ? Math.min(Number(from), maxFrom) : 'invalid'
}

/** The parameters of a menu. Apart from them, the response depends only on the language of the service's texts. */
export interface MenuRequest {
  merchantId: string
  tagName: string | undefined
  /** Absent: now. */
  at: number | undefined
  /** Position on the menu at which the response begins. */
  from: number
  /** Products that the response shows. */
  filter: FoodFilter
  /** Languages that the guest reads. */
  wanted: WantedLanguages
  /** Signed preview that is shown. */
  preview?: RequestedPreview
}

/** Parameters that can be invalid. */
type InvalidParameter = 'at' | 'from' | 'diet' | 'without'

/** The request for a merchant's menu; otherwise the parameter that is invalid. */
export function parseMenuRequest(c: Context, name: string): MenuRequest | 'merchantId' | InvalidParameter {
  const merchantId = trimmed(name)
  const [at, from] = [parseMoment(c), parseFrom(c)]
  const filter = parseFoodFilter(readList(c, 'diet'), readList(c, 'without'))
  if (!merchantIdPattern.test(merchantId)) return 'merchantId'
  if (at === 'invalid') return 'at'
  if (from === 'invalid') return 'from'
  if (typeof filter === 'string') return filter
  const tagName = readParameter(c, 'tag')
  const isName = tagName !== undefined && parseTagNames(tagName).length > 0
  const wanted = toWanted([readParameter(c, 'lang'), ...parseAcceptLanguage(c.req.header('accept-language'))])
  return { merchantId, tagName: isName ? tagName : undefined, at, from, filter, wanted }
}

/** The URL of the part of a menu that begins at `from`, relative to the request. */
export const toPartUrl = (c: Context, request: MenuRequest, from: number): string =>
  toUrl(c, { ...toMoment(request), ...toParameters(request.filter), from: `${from}` })

/** The table and the time of a request, or the preview that it shows. */
const toMoment = ({ tagName, at, preview }: MenuRequest) =>
  preview ? { [preview.parameter]: preview.value } : { tag: tagName, at: at?.toString() }

const toParameters = ({ diets, without }: FoodFilter) => ({
  diet: diets.length > 0 ? diets.join() : undefined,
  without: without.length > 0 ? without.join() : undefined,
})

/** The URL of the menu with another filter, relative to the request. */
export const toFilterUrl = (c: Context, request: MenuRequest, filter: FoodFilter): string =>
  toUrl(c, { ...toMoment(request), ...toParameters(filter) })

/** The URL of the menu in another language, relative to the request. */
export const toLanguageUrl = (c: Context, request: MenuRequest, lang: string): string =>
  toUrl(c, { ...toMoment(request), ...toParameters(request.filter) }, lang)

/** The address of the allergen sheet. */
export const toSheetUrl = (c: Context, { merchantId, tagName, preview }: MenuRequest): string =>
  `/m/${merchantId}/allergens${toUrl(c, preview ? { [preview.parameter]: preview.value } : { tag: tagName })}`

/** The address of the allergen sheet as a PDF, with the same products. */
export const toPdfUrl = (c: Context, { merchantId, tagName, filter, preview }: MenuRequest): string => {
  const shown = preview ? { [preview.parameter]: preview.value } : { tag: tagName }
  return `/m/${merchantId}/allergens.pdf${toUrl(c, { ...shown, ...toParameters(filter) })}`
}

/** A URL relative to the request, with its language. */
function toUrl(
  c: Context,
  parameters: Readonly<Record<string, string | undefined>>,
  lang = parseLanguage(readParameter(c, 'lang')),
): string {
  const all = Object.entries({ ...parameters, lang })
  return `?${new URLSearchParams(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))}`
}
