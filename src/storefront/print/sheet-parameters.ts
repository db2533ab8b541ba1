import * as z from 'zod/mini'
import { booleanFilter, wholeNumberUpTo } from '../../platform/http/fields/query-parameters.ts'
import * as field from '../../platform/http/fields.ts'
import { listFields, pageSize, searchText, updatedSinceText } from '../../platform/http/pagination.ts'
import { getDefaultFormat, getFormats, type LayoutName, layoutNames, type PaperFormat } from './layouts.ts'

/** Limits of a sheet: number of tags, characters of its call to action and of an area, used positions. */
export const sheetLimits = { tags: 1_000, text: 60, area: 255, skip: 99 } as const

const text = field
  .trimmedText({ min: 1, max: sheetLimits.text })
  .check(z.describe('Call to action on each card. Default: "Scan for the menu" in the venue\'s language.'))
const area = field
  .trimmedText({ min: 1, max: sheetLimits.area })
  .check(
    z.describe(
      'Prints only tags whose metadata has the key `area` with this value. Ignores the case of key and value.',
    ),
  )
const format = z
  .enum(['a4', 'letter'])
  .check(
    z.describe(
      'Paper format. A layout for stock of one format accepts only that format. Default: the first format of the layout.',
    ),
  )
const layout = z
  .enum(layoutNames)
  .check(z.describe('Kind of cards: stickers, tents, posters, or labels of Avery stock. Default: `stickers`.'))

const skipText =
  'Number of positions on the first page that stay empty, for stock that is partly used. Whole pages do not count. Default: 0.'

/** Query of a sheet. */
export const sheetQuery = z.strictObject({
  ids: listFields.ids.check(
    z.describe(
      `Prints only the tags with these ids. At most ${pageSize.max}, separated by commas or as a repeated parameter.`,
    ),
  ),
  externalIds: listFields.externalIds,
  area: z.optional(area),
  nfc: booleanFilter,
  testMode: booleanFilter,
  q: listFields.q.check(z.describe(searchText)),
  updatedSince: listFields.updatedSince.check(z.describe(`${updatedSinceText}.`)),
  text: z.optional(text),
  format: z.optional(format),
  layout: z.optional(layout),
  skip: z.optional(wholeNumberUpTo(sheetLimits.skip)).check(z.describe(skipText)),
})
export type SheetQuery = z.output<typeof sheetQuery>

/** Body of a link to a sheet. */
export const sheetLinkFields = z.strictObject({
  ids: z
    .nullish(field.set(field.reference, sheetLimits.tags))
    .check(z.describe('Prints only the tags with these ids. Ids without a tag are ignored.')),
  area: z.nullish(area),
  nfc: z.nullish(field.boolean).check(z.describe('Prints only tags with this value of `nfc`.')),
  testMode: z.nullish(field.boolean).check(z.describe('Prints only tags with this value of `testMode`.')),
  q: z
    .nullish(field.exactText({ max: sheetLimits.area }))
    .check(z.describe('Prints only tags that match this full-text search.')),
  text: z.nullish(text),
  format: z.nullish(format),
  layout: z.nullish(layout),
  skip: z.nullish(field.integer(0, sheetLimits.skip)).check(z.describe(skipText)),
})

/** Rules for the body of a link. */
export const sheetLinkRules = { schema: sheetLinkFields, partial: sheetLinkFields, readOnly: new Set<string>() }

/** The layout of a request and its paper; undefined if the layout is not available on that paper. */
export function chooseLayout(parameters: {
  format?: PaperFormat | null | undefined
  layout?: LayoutName | null | undefined
}): { layout: LayoutName; format: PaperFormat } | undefined {
  const layout = parameters.layout ?? 'stickers'
  const format = parameters.format ?? getDefaultFormat(layout)
  return getFormats(layout).includes(format) ? { layout, format } : undefined
}
