import * as z from 'zod/mini'
import { optionAvailabilityTable } from '../../platform/db/schema/availability.ts'
import { modifierTable } from '../../platform/db/schema/resources/modifiers.ts'
import { deleteOptionMarks } from '../../platform/db/sold-out.ts'
import type { Issue } from '../../platform/errors.ts'
import * as field from '../../platform/http/fields.ts'
import { createId } from '../../platform/lib/ids.ts'
import { baseFields, defineResource } from '../resource/define-resource.ts'
import { loadLater } from '../resource/details/load-details.ts'
import { keepPartIds } from '../resource/part-ids.ts'

const { limits } = field

const option = z.strictObject({
  id: z.nullish(field.ownId).check(z.describe('Id, unique in the modifier. Default: generated.')),
  label: z.nullish(field.label).check(z.describe('Name of the option.')),
  additionalCost: z
    .nullish(field.surcharge)
    .check(z.describe("Amount added to the price, in the merchant's currency. Can be negative.")),
  additionalCalories: z.nullish(field.count).check(z.describe('Energy that the option adds, in kilocalories.')),
  preSelected: z.nullish(field.boolean).check(z.describe('Whether the option is selected initially.')),
})

const ruleFields = z.strictObject({
  required: z.nullish(field.boolean).check(z.describe('Whether the customer must choose an option.')),
  allowedMultiple: z
    .nullish(field.boolean)
    .check(z.describe('Whether the customer can choose several options. Cannot be `true` for `RADIO`.')),
  selectRestriction: z
    .nullish(field.count)
    .check(z.describe('Number of options that the customer can choose. 0 or absent: unlimited.')),
  requireSelectRestriction: z
    .nullish(field.boolean)
    .check(
      z.describe(
        'Whether the customer must choose exactly as many options as allowed: `selectRestriction`, or one. Ignored if unlimited.',
      ),
    ),
  enableOptionQuantity: z
    .nullish(field.boolean)
    .check(z.describe('Whether the customer can choose an option more than once.')),
})

const item = z.object({
  ...baseFields,
  title: z.string(),
  instructions: z.string(),
  description: z.optional(z.string()),
  type: z.enum(['CHECKBOX', 'RADIO']),
  rules: z.object({
    required: z.optional(z.boolean()),
    allowedMultiple: z.optional(z.boolean()),
    selectRestriction: z.optional(z.number()),
    requireSelectRestriction: z.optional(z.boolean()),
    enableOptionQuantity: z.optional(z.boolean()),
  }),
  options: z.array(
    z.object({
      id: z.string(),
      label: z.optional(z.string()),
      additionalCost: z.optional(z.number()),
      additionalCalories: z.optional(z.number()),
      preSelected: z.optional(z.boolean()),
    }),
  ),
})
/** An incomplete modifier: its options can lack ids. */
const parts = z.partial(z.extend(item, { options: z.array(option) }))
type Parts = z.output<typeof parts>

/** Minimum and maximum number of options that a customer can choose. */
export function getChoiceLimits({ type, rules = {} }: Pick<Parts, 'type' | 'rules'>): { min: number; max: number } {
  const isSingle = type === 'RADIO' || rules.allowedMultiple === false
  const max = isSingle ? 1 : rules.selectRestriction || Number.POSITIVE_INFINITY
  if (rules.requireSelectRestriction && Number.isFinite(max)) return { min: max, max }
  return { min: rules.required ? 1 : 0, max }
}

function* getRuleIssues(modifier: Parts): Iterable<Issue> {
  const { type, rules = {}, options = [] } = modifier
  for (const index of field.duplicates(options, ({ id }) => id ?? undefined)) {
    yield { pointer: `/options/${index}/id`, code: 'duplicate', message: 'is the id of another option' }
  }
  if (type === 'RADIO' && rules.allowedMultiple) {
    yield { pointer: '/rules/allowedMultiple', code: 'conflict', message: 'RADIO allows one option' }
  }
  const restriction = rules.selectRestriction ?? 0
  if (type === 'RADIO' && restriction > 1) {
    yield { pointer: '/rules/selectRestriction', code: 'conflict', message: 'RADIO allows one option' }
  } else if (options.length > 0 && restriction > options.length && !rules.enableOptionQuantity) {
    yield {
      pointer: '/rules/selectRestriction',
      code: 'conflict',
      message: `must be at most ${options.length}, the number of options`,
    }
  }
  const { max } = getChoiceLimits(modifier)
  if (options.filter(({ preSelected }) => preSelected).length > max) {
    yield {
      pointer: '/options',
      code: 'conflict',
      message: `must not preselect more than ${max} ${max === 1 ? 'option' : 'options'}`,
    }
  }
}

export const modifiers = defineResource({
  name: 'modifier',
  fields: z.strictObject({
    title: field.title.check(z.describe('Name of the modifier.')),
    instructions: field.text.check(z.describe('Instructions for the customer. Can be empty.')),
    description: z.nullish(field.text).check(z.describe('Text below the title. Stored exactly as sent.')),
    type: z
      .nullish(z.enum(['CHECKBOX', 'RADIO']))
      .check(z.describe('Kind of choice. `CHECKBOX`: several options. `RADIO`: one option.')),
    rules: z.nullish(ruleFields).check(z.describe('Rules for choosing options.')),
    options: z
      .nullish(field.list(option, limits.options))
      .check(z.describe('Options that the customer can choose, in display order.')),
  }),
  item: item.register(z.globalRegistry, { description: 'A set of options that customers can choose for a product.' }),
  table: modifierTable,
  createOnly: {},
  details: loadLater(async () => (await import('./details/modifier-details.ts')).modifierDetails),
  filters: {},
  examples: {
    create: {
      title: 'Milk',
      instructions: 'Choose one',
      type: 'RADIO',
      options: [
        { id: 'oat', label: 'Oat', additionalCost: 0.4 },
        { id: 'whole', label: 'Whole', preSelected: true },
      ],
    },
    update: { instructions: 'Choose your milk' },
  },
  kept: [{ table: optionAvailabilityTable, owner: optionAvailabilityTable.modifier, by: 'id' }],
  hooks: {
    keepPartIds: (patch, previous) => keepPartIds(patch, previous, 'options', 'label'),
    defaults: () => ({ type: 'CHECKBOX', rules: {}, options: [] }),
    hideStatements: () => [deleteOptionMarks()],
    check: (draft) => [...getRuleIssues(parts.parse(draft))],
    complete: (draft) => ({
      ...draft,
      options: (parts.parse(draft).options ?? []).map(({ id, ...option }) => ({
        id: id ?? createId('opt'),
        ...option,
      })),
    }),
    searchTexts(draft) {
      const { title, description } = parts.parse(draft)
      return { names: [title], others: [description] }
    },
  },
})
