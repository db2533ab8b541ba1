import type { ModifierDetails } from '../../../packages/client/src/client.ts'
import { formatAmount, formatNumber, parsePrice, parseWhole } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import {
  type ContentsForm,
  findContentsErrors,
  toContents,
  toContentsForm,
} from '../../objects/contents/contents-form.ts'
import { errorIf } from '../../objects/editor/field-errors.ts'

type StoredOption = NonNullable<ModifierDetails['options']>[string]

/** Contents of an option, its limit and its modifiers. */
export interface OptionDetailsForm extends ContentsForm {
  max: string
  /** Ids of the modifiers that guests see when they choose the option. */
  modifiers: readonly string[]
}
export type OptionForms = Readonly<Record<string, OptionDetailsForm>>
/** Costs as typed, by the ids of the option and of the size. */
export type CostsBySize = Readonly<Record<string, Readonly<Record<string, string>>>>

export const toOptionDetails = (option: StoredOption = {}): OptionDetailsForm => ({
  ...toContentsForm(option),
  max: formatNumber(option.max),
  modifiers: option.modifiers ?? [],
})
export const toOptionForms = (options: ModifierDetails['options'] = {}): OptionForms =>
  Object.fromEntries(Object.entries(options).map(([id, option]) => [id, toOptionDetails(option)]))
export const toSizedCosts = (costs: ModifierDetails['sizedCosts'] = {}): CostsBySize =>
  Object.fromEntries(
    Object.entries(costs).map(([option, sizes]) => [
      option,
      Object.fromEntries(Object.entries(sizes).map(([size, cost]) => [size, formatAmount(cost)])),
    ]),
  )

const isFilled = (text: string) => text.trim() !== ''

export function findOptionErrors(options: OptionForms, costs: CostsBySize): [string, string][] {
  const { issue } = t()
  return [
    ...Object.entries(options).flatMap(([id, option]): [string, string][] => [
      ...findContentsErrors(option, `options/${id}/`),
      ...errorIf(
        isFilled(option.max) && parseWhole(option.max) === undefined,
        `options/${id}/max`,
        issue.notAWholeNumber,
      ),
    ]),
    ...Object.entries(costs).flatMap(([option, sizes]) =>
      Object.entries(sizes).flatMap(([size, cost]): [string, string][] =>
        isFilled(cost) && parsePrice(cost) === undefined ? [[`sizedCosts/${option}/${size}`, issue.notAPrice]] : [],
      ),
    ),
  ]
}

/** The body of the details of options. An option about which nothing is said is `null`. */
export const toOptions = (options: OptionForms) =>
  Object.fromEntries(
    Object.entries(options).map(([id, option]) => {
      const body = {
        ...toContents(option),
        max: parseWhole(option.max) ?? null,
        modifiers: option.modifiers.length === 0 ? null : [...option.modifiers],
      }
      return [id, Object.values(body).every((value) => value === null) ? null : body]
    }),
  )

/** The body of costs by size. An empty field is `null`: the option costs its additional cost. */
export const toCosts = (costs: CostsBySize) =>
  Object.fromEntries(
    Object.entries(costs).map(([option, sizes]) => [
      option,
      Object.fromEntries(Object.entries(sizes).map(([size, cost]) => [size, parsePrice(cost) ?? null])),
    ]),
  )

/** The options of a list with the statement that they contain no allergens, unless their allergens are stated. */
export const stateNoAllergens = (options: OptionForms, ids: readonly string[]): OptionForms => ({
  ...options,
  ...Object.fromEntries(
    ids.flatMap((id) => {
      const option = options[id] ?? toOptionDetails()
      return option.areAllergensStated ? [] : [[id, { ...option, areAllergensStated: true }]]
    }),
  ),
})
