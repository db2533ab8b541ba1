import type { ProductDetails } from '../../../../packages/client/src/client.ts'
import { formatNumber, parseWhole } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'

/** The rule for a modifier at this product. Empty: as the modifier says. */
export interface RuleForm {
  modifier: string
  min: string
  max: string
  title: string
}
const isFilled = (text: string) => text.trim() !== ''
export const listRules = (rules: readonly RuleForm[]) =>
  rules.filter(({ min, max, title }) => isFilled(min) || isFilled(max) || isFilled(title))

export const toRuleForms = (rules: ProductDetails['modifierRules'] = []): RuleForm[] =>
  rules.map(({ modifier, min, max, title = '' }) => ({
    modifier,
    min: formatNumber(min),
    max: formatNumber(max),
    title,
  }))

/** Errors of typed numbers, by field. */
export const findLimitErrors = (limits: { min: string; max: string }, prefix = ''): [string, string][] =>
  Object.entries({ min: limits.min, max: limits.max }).flatMap(([name, text]): [string, string][] =>
    isFilled(text) && parseWhole(text) === undefined ? [[prefix + name, t().issue.notAWholeNumber]] : [],
  )
export const findRuleErrors = (rules: readonly RuleForm[]) =>
  listRules(rules).flatMap((rule, index) => findLimitErrors(rule, `modifierRules/${index}/`))

export function toRules(rules: readonly RuleForm[]) {
  const body = listRules(rules).map(({ modifier, min, max, title }) => ({
    modifier,
    ...(isFilled(min) && { min: parseWhole(min) ?? 0 }),
    ...(isFilled(max) && { max: parseWhole(max) ?? 0 }),
    ...(isFilled(title) && { title }),
  }))
  return body.length === 0 ? null : body
}
