import type { TagDetails } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { nameCode } from '../../objects/contents/named-codes.ts'
import {
  formatWeekday,
  fromBeginField,
  fromEndField,
  type OrderType,
  toChosen,
  toTimeField,
  type Weekday,
  weekdays,
} from '../../objects/hours/service-times.ts'

/** A rule as typed. Empty: no condition of this kind. */
export interface RuleForm {
  days: readonly Weekday[]
  begin: string
  end: string
  lang: string
  url: string
}
export interface DestinationForm {
  url: string
  orderType: '' | OrderType
  rules: readonly RuleForm[]
}

export const newRule: RuleForm = { days: weekdays, begin: '', end: '', lang: '', url: '' }

export const toDestinationForm = (details?: TagDetails): DestinationForm => ({
  url: details?.url ?? '',
  orderType: details?.orderType ?? '',
  rules: (details?.rules ?? []).map(({ when: { days = weekdays, begin, end, lang = '' }, url }) => ({
    ...{ days, begin: toTimeField(begin), end: toTimeField(end), lang, url },
  })),
})

/** The condition of a rule: at least one, and both times or none. */
const toWhen = ({ days, begin, end, lang }: RuleForm) => {
  const chosen = toChosen(weekdays, days)
  return {
    ...(chosen && { days: chosen }),
    ...(begin !== '' && { begin: fromBeginField(begin) }),
    ...(end !== '' && { end: fromEndField(end) }),
    ...(lang !== '' && { lang }),
  }
}

export function findDestinationErrors({ rules }: DestinationForm): ReadonlyMap<string, string> {
  const { issue, tables, menus } = t()
  const errors = new Map<string, string>()
  for (const [index, rule] of rules.entries()) {
    const at = `rules/${index}`
    if (rule.url.trim() === '') errors.set(`${at}/url`, issue.required)
    if (rule.days.length === 0) errors.set(`${at}/when/days`, menus.noDays)
    if (rule.begin === '' && rule.end !== '') errors.set(`${at}/when/begin`, issue.required)
    if (rule.end === '' && rule.begin !== '') errors.set(`${at}/when/end`, issue.required)
    if (Object.keys(toWhen(rule)).length === 0) errors.set(`${at}/url`, tables.noCondition)
  }
  return errors
}

export const toDestination = ({ url, orderType, rules }: DestinationForm) => ({
  url: url.trim() === '' ? null : url.trim(),
  orderType: orderType === '' ? null : orderType,
  rules: rules.length === 0 ? null : rules.map((rule) => ({ when: toWhen(rule), url: rule.url.trim() })),
})

/** Rules in readable form. Undefined: the text of the value. */
export async function showDestination(
  field: string,
  { rules, orderType }: Partial<ReturnType<typeof toDestination>> | TagDetails,
): Promise<string | undefined> {
  if (field === 'orderType' && orderType) return t().menus.types[orderType]
  if (field !== 'rules') return undefined
  return rules
    ?.map(({ when: { days, begin, end, lang }, url }) => {
      const times = begin && end ? `${toTimeField(begin)}–${toTimeField(end)}` : undefined
      const parts = [days?.map(formatWeekday).join(', '), times, lang && nameCode('language', lang), url]
      return parts.filter(Boolean).join(' ')
    })
    .join('; ')
}

/** Labels of fields, for the comparison of two versions. */
export function nameOfDestination(field: string): string {
  const { ownAddress, guestsOrder, rules } = t().tables
  return new Map(Object.entries({ url: ownAddress, orderType: guestsOrder, rules })).get(field) ?? field
}
