import * as z from 'zod/mini'
import type { Issue } from '../../../platform/errors.ts'
import * as field from '../../../platform/http/fields.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { DetailFields, DetailsContext, DetailsPatch } from '../../resource/details/details-definition.ts'

const { limits } = field

/** Minimum and maximum number of options that guests choose. */
export const choiceLimits = {
  min: z.nullish(field.choiceCount).check(z.describe('Minimum number of options. Absent: as the modifier says.')),
  max: z.nullish(field.choiceCount).check(z.describe('Maximum number of options. Absent: as the modifier says.')),
}

const rule = z.strictObject({
  modifier: field.reference.check(z.describe('Id of a modifier of the product.')),
  ...choiceLimits,
  title: z.nullish(field.title).check(z.describe('Title of the modifier at this product.')),
})

/** Rules of a product for the use of its modifiers, in a body. */
export const modifierRulesField = z
  .nullish(
    field.uniqueList(rule, limits.productModifiers, (entry) =>
      isObject(entry) && typeof entry['modifier'] === 'string' ? entry['modifier'] : undefined,
    ),
  )
  .check(
    z.describe(
      'Rules for modifiers at this product: the same list of milks can be optional for cereal and required for coffee. A member that is set replaces that of the modifier.',
    ),
  )

/** The rules as stored and shown. */
export const modifierRulesView = z.optional(
  z.array(
    z.object({
      modifier: z.string(),
      min: z.optional(z.number()),
      max: z.optional(z.number()),
      title: z.optional(z.string()),
    }),
  ),
)

/** Issues of a minimum and a maximum number of options. `path` leads to their object. */
export function* checkChoiceLimits(rule: DetailFields, type: string | undefined, path: readonly PropertyKey[]) {
  const { min, max } = rule
  const pointer = toJsonPointer([...path, 'max'])
  if (typeof max !== 'number') return
  if (typeof min === 'number' && max < min) {
    yield { pointer, code: 'conflict' as const, message: 'must not be less than min' }
  }
  if (type === 'RADIO' && max > 1) yield { pointer, code: 'conflict' as const, message: 'RADIO allows one option' }
}

/** Issues of the rules for modifiers, if the request changes them. */
export function* checkModifierRules({ patch }: DetailsPatch, { partIds, modifiers }: DetailsContext): Iterable<Issue> {
  const rules = patch['modifierRules']
  for (const [index, rule] of Array.isArray(rules) ? rules.entries() : []) {
    if (!isObject(rule)) continue
    const path = ['modifierRules', index]
    const modifier = modifiers.get(String(rule['modifier']))
    if (modifier && !partIds.has(modifier.id)) {
      yield {
        pointer: toJsonPointer([...path, 'modifier']),
        code: 'not_found',
        message: 'is not a modifier of this product',
      }
    }
    yield* checkChoiceLimits(rule, modifier?.type, path)
  }
}

/** Leaves out rules for modifiers that the product no longer has. */
export function keepModifierRules(details: DetailFields, { partIds }: DetailsContext): DetailFields {
  const { modifierRules, ...others } = details
  if (!Array.isArray(modifierRules)) return details
  const kept = modifierRules.filter((rule: unknown) => isObject(rule) && partIds.has(String(rule['modifier'])))
  return kept.length > 0 ? { ...others, modifierRules: kept } : others
}
