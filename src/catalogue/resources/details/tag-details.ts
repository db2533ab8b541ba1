import * as z from 'zod/mini'
import type { Issue } from '../../../platform/errors.ts'
import { languageTag } from '../../../platform/http/fields/language-tag.ts'
import { weekdaySet } from '../../../platform/http/fields/weekdays.ts'
import * as field from '../../../platform/http/fields.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { weekdays } from '../../../platform/lib/opening-hours.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { getHost } from '../../../platform/lib/web-address.ts'
import type { DetailsContext, DetailsPatch } from '../../resource/details/details-definition.ts'
import { destination, placeholders } from '../destination.ts'
import { orderTypes } from './order-types.ts'

const { limits } = field

const hostRule = `Its host must be that of \`orderingUrl\`, \`sandboxUrl\` or \`website\` of the merchant, or one of its \`destinationHosts\`. ${placeholders}`

const when = z
  .strictObject({
    days: z
      .nullish(weekdaySet)
      .check(
        z.describe(
          'Weekdays, by the clock of the venue. Hours past midnight belong to the day on which they begin. Absent: every day.',
        ),
      ),
    begin: z
      .nullish(field.beginTime)
      .check(z.describe('Time from which the rule matches: `HHMM`, `0000` to `2359`. Requires `end`.')),
    end: z
      .nullish(field.endTime)
      .check(
        z.describe(
          'Time until which the rule matches: `HHMM`, up to `2400`. A time before `begin` is on the next day. Requires `begin`.',
        ),
      ),
    lang: z
      .nullish(languageTag)
      .check(
        z.describe(
          'Language of the guest, as a BCP 47 tag: that of `lang` in the scanned address, otherwise the one that the browser prefers. `de` matches `de-CH` too.',
        ),
      ),
  })
  .check(({ value, issues }) => {
    const { days, begin, end, lang } = value
    const report = (path: string[], code: string, message: string) =>
      issues.push({ code: 'custom', params: { code }, message, input: value, path })
    const [hasBegin, hasEnd] = [typeof begin === 'string', typeof end === 'string']
    if (hasBegin && !hasEnd) report(['end'], 'required', 'is required with begin')
    else if (hasEnd && !hasBegin) report(['begin'], 'required', 'is required with end')
    else if (hasBegin && begin === end) report(['end'], 'conflict', 'must differ from begin')
    else if (!hasBegin && !days && typeof lang !== 'string') report([], 'required', 'must have a condition')
  })

const fields = z.strictObject({
  url: z
    .nullish(destination)
    .check(
      z.describe(
        `Address to which scans of the tag lead if no rule matches. ${hostRule} Absent: the address of the merchant for the mode of the tag, or the hosted menu.`,
      ),
    ),
  rules: z
    .nullish(
      field.list(
        z.strictObject({
          when: when.check(z.describe('Conditions that must all hold at the scan.')),
          url: destination.check(z.describe(`Address to which the scan leads. ${hostRule}`)),
        }),
        limits.tagRules,
      ),
    )
    .check(z.describe('Rules for addresses. The first one that matches applies. Replaces all rules.')),
  orderType: z
    .nullish(z.enum(orderTypes))
    .check(
      z.describe(
        'Order type of the guests of the tag: the hosted menu shows only menus for it. Quotes state theirs. Absent: menus for all order types.',
      ),
    ),
})

const text = z.optional(z.string())

/** Rules as stored and shown. */
const rulesView = z.array(
  z.object({
    when: z.object({ days: z.optional(z.array(z.enum(weekdays))), begin: text, end: text, lang: text }),
    url: z.string(),
  }),
)

const view = z.object({
  url: text,
  rules: z.optional(rulesView),
  orderType: z.optional(z.enum(orderTypes)),
})

/** Issues of addresses in the request whose host the merchant does not have. */
function* check({ patch }: DetailsPatch, { hosts }: DetailsContext): Iterable<Issue> {
  if (!hosts) return
  const { url, rules } = patch
  const ofRules = (Array.isArray(rules) ? rules : []).map((rule, index) => ({
    path: ['rules', index, 'url'],
    address: isObject(rule) ? rule['url'] : undefined,
  }))
  for (const { path, address } of [{ path: ['url'], address: url }, ...ofRules]) {
    if (typeof address !== 'string') continue
    const host = getHost(address)
    if (host !== undefined && hosts.includes(host)) continue
    const message = 'must have a host that the merchant allows'
    yield { pointer: toJsonPointer(path), code: 'invalid_value', message }
  }
}

/** Details of tags. */
export const tagDetails = {
  body: { schema: fields, partial: fields, readOnly: new Set<string>() },
  view,
  example: {
    url: 'https://order.example.com/terrace?table={tag}',
    rules: [{ when: { days: ['sat', 'sun'], begin: '0900', end: '1400' }, url: 'https://order.example.com/brunch' }],
    orderType: 'dine_in',
  } satisfies z.output<typeof view>,
  namesHosts: true,
  // Every scan reads them.
  maxBytes: limits.tagDetailBytes,
  check: (change: DetailsPatch, context: DetailsContext) => [...check(change, context)],
} as const
