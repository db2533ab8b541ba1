import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { detailTable } from '../../../platform/db/schema/objects/details.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import type { Issue } from '../../../platform/errors.ts'
import * as field from '../../../platform/http/fields.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { getOwn, isObject } from '../../../platform/lib/schema-guard.ts'
import type { DetailFields, DetailsContext, DetailsPatch } from '../../resource/details/details-definition.ts'
import { selectModifiers, soundJson } from '../../resource/details/related-objects.ts'
import { contentsView, createContents, toContents } from './contents.ts'
import { findContradictions } from './contradictions.ts'
import { checkChoiceLimits, choiceLimits } from './modifier-rules.ts'
import { createTranslations } from './translations.ts'

const { limits } = field
const pricings = ['sum', 'highest'] as const

const option = z.strictObject({
  ...createContents('option'),
  max: z
    .nullish(field.integer(1, limits.optionQuantity))
    .check(
      z.describe(
        `Number of times that guests may choose the option, 1 to ${limits.optionQuantity}. Has an effect with \`enableOptionQuantity\`. Default: no limit of its own.`,
      ),
    ),
  modifiers: z
    .nullish(field.set(field.reference, limits.nestedModifiers))
    .check(
      z.describe(
        `Ids of modifiers that guests see when they choose the option, at most ${limits.nestedModifiers}. A modifier that is used so has no such modifiers itself.`,
      ),
    ),
})

const fields = z.strictObject({
  ...choiceLimits,
  pricing: z
    .nullish(z.enum(pricings))
    .check(
      z.describe(
        '`sum`: every chosen option costs its amount. `highest`: only the most expensive one does, as for halves of a pizza. Default: `sum`.',
      ),
    ),
  options: z
    .nullish(z.record(z.string(), z.nullish(option)))
    .check(z.describe('Contents, limits and modifiers of options by their ids. They disappear with their option.')),
  sizedCosts: z
    .nullish(z.record(z.string(), z.nullish(z.record(z.string(), z.nullish(field.surcharge)))))
    .check(
      z.describe(
        'Amounts by the id of the option and by the id of the option that is the size of the product. They replace `additionalCost` at that size.',
      ),
    ),
  translations: createTranslations(
    z.strictObject({
      title: z.nullish(field.title).check(z.describe('Translated title.')),
      instructions: z.nullish(field.text).check(z.describe('Translated instructions.')),
      description: z.nullish(field.text).check(z.describe('Translated description.')),
      options: z
        .nullish(
          z.record(
            z.string(),
            z.nullish(
              z.strictObject({ label: z.nullish(field.label).check(z.describe('Translated name of the option.')) }),
            ),
          ),
        )
        .check(z.describe('Texts of options by their ids.')),
    }),
    'Texts of the modifier and its options',
  ),
})

const text = z.optional(z.string())
const number = z.optional(z.number())

const view = z.object({
  min: number,
  max: number,
  pricing: z.optional(z.enum(pricings)),
  options: z.optional(
    z.record(z.string(), z.object({ ...contentsView, max: number, modifiers: z.optional(z.array(z.string())) })),
  ),
  sizedCosts: z.optional(z.record(z.string(), z.record(z.string(), z.number()))),
  translations: z.optional(
    z.record(
      z.string(),
      z.object({
        title: text,
        instructions: text,
        description: text,
        options: z.optional(z.record(z.string(), z.object({ label: text }))),
      }),
    ),
  ),
})

const toOptions = ({ options }: DetailFields): Readonly<Record<string, unknown>> => (isObject(options) ? options : {})

/** Issues of modifiers that options offer. */
function* checkNested({ patch }: DetailsPatch, { id, modifiers }: DetailsContext): Iterable<Issue> {
  for (const [option, value] of Object.entries(toOptions(patch))) {
    const nested = isObject(value) && Array.isArray(value['modifiers']) ? value['modifiers'] : []
    for (const [index, named] of nested.entries()) {
      const modifier = modifiers.get(String(named))
      const isPossible = String(named) !== id && !modifier?.nests
      if (isPossible) continue
      const pointer = toJsonPointer(['options', option, 'modifiers', index])
      yield { pointer, code: 'conflict', message: 'must be another modifier, whose options have no modifiers' }
    }
  }
}

function check(change: DetailsPatch, context: DetailsContext): readonly Issue[] {
  const { before, after, patch } = change
  const [were, are] = [toOptions(before), toOptions(after)]
  return [
    ...('min' in patch || 'max' in patch ? checkChoiceLimits(after, context.modifiers.get(context.id)?.type, []) : []),
    ...Object.keys(are).flatMap((id) =>
      findContradictions(toContents(are[id]), toContents(getOwn(were, id)), ['options', id]),
    ),
    ...checkNested(change, context),
  ]
}

/** Leaves out modifiers of options that are gone or that offer modifiers themselves. */
function keep(details: DetailFields, { id, modifiers }: DetailsContext): DetailFields {
  const options = Object.entries(toOptions(details)).map(([option, value]) => {
    if (!isObject(value) || !Array.isArray(value['modifiers'])) return [option, value]
    const kept = value['modifiers'].filter((named) => named !== id && modifiers.get(String(named))?.nests === false)
    const { modifiers: _, ...others } = value
    return [option, kept.length > 0 ? { ...others, modifiers: kept } : others]
  })
  return options.length > 0 ? { ...details, options: Object.fromEntries(options) } : details
}

const nestedModifiers = sql`select nested.value
  from json_each(${soundJson(detailTable.data)}, '$.options') as parent
  cross join json_each(case when parent.type = 'object' then parent.value end, '$.modifiers') as nested`

/** Details of modifiers. */
export const modifierDetails = {
  body: { schema: fields, partial: fields, readOnly: new Set<string>() },
  view,
  example: {
    translations: { fr: { title: 'Lait', instructions: 'Choisissez', options: { oat: { label: 'Avoine' } } } },
  } satisfies z.output<typeof view>,
  parts: {
    field: 'options',
    column: modifierTable.options,
    one: 'an option',
    areTranslated: true,
    members: ['options', 'sizedCosts'],
  },
  references: [{ target: 'modifiers', path: ['options', '*', 'modifiers', '*'] }],
  optionPaths: [['sizedCosts', '*']],
  more: sql`, 'modifiers', json(${selectModifiers(detailTable, nestedModifiers)})`,
  keep,
  check,
} as const
