import type { Modifier } from '../../../packages/client/src/client.ts'
import { parseWhole } from '../../app/format.ts'
import { t } from '../../app/language.ts'

type Rules = Modifier['rules']
/** A modifier, or the body of a change. */
interface Ruled {
  type: Modifier['type']
  rules: { [Name in keyof Rules]: Rules[Name] | null }
}

/** Limits that replace those of the rules. Empty: no such limit. */
export interface Limits {
  min?: number | string | undefined
  max?: number | string | undefined
}
const toLimit = (limit: number | string | undefined) => (typeof limit === 'string' ? parseWhole(limit) : limit)

/** A rule in words, such as "choose up to 2". It matches the hosted menu and quotes. `limits`: of the product, then of the modifier. */
export function describeRule({ type, rules }: Ruled, ...limits: readonly (Limits | undefined)[]): string {
  const { rules: texts } = t().modifiers
  const { required, selectRestriction, requireSelectRestriction, allowedMultiple } = rules
  const find = (name: keyof Limits) => limits.map((each) => toLimit(each?.[name])).find((limit) => limit !== undefined)
  const ruled = type === 'RADIO' || allowedMultiple === false ? 1 : selectRestriction || Number.POSITIVE_INFINITY
  const max = find('max') ?? ruled
  const isExact = requireSelectRestriction && ruled < Number.POSITIVE_INFINITY
  const min = find('min') ?? (isExact ? Math.min(ruled, max) : required ? 1 : 0)
  const isAny = max === Number.POSITIVE_INFINITY
  if (min > 0) {
    if (min >= max) return max === 1 ? texts.one : texts.exactly(max)
    if (min === 1) return isAny ? texts.atLeastOne : texts.oneTo(max)
    return isAny ? texts.atLeast(min) : texts.between(min, max)
  }
  const limit = isAny ? texts.any : type === 'RADIO' ? texts.one : texts.upTo(max)
  return `${limit}, ${texts.optional}`
}
