import * as z from 'zod/mini'
import { modifierTable } from '../db/schema/resources/modifiers.ts'
import type { Issue } from '../errors.ts'
import * as field from '../http/fields.ts'
import { createId } from '../lib/ids.ts'
import { baseFields, defineResource } from '../resource/definition.ts'

const { limits } = field

const option = z.strictObject({
  id: z
    .nullish(field.ownId)
    .check(z.describe('Unique in the modifier and kept as given; made by the service where none is given.')),
  label: z.nullish(field.label),
  additionalCost: z.nullish(field.surcharge),
  additionalCalories: z.nullish(field.count),
  preSelected: z.nullish(field.boolean),
})

const ruleFields = z.strictObject({
  required: z.nullish(field.boolean).check(z.describe('Whether the modifier is required.')),
  allowedMultiple: z
    .nullish(field.boolean)
    .check(z.describe('Whether several options may be chosen; never with RADIO.')),
  selectRestriction: z
    .nullish(field.count)
    .check(z.describe('How many options may be chosen; 0 or absent is any number.')),
  requireSelectRestriction: z.nullish(field.boolean).check(z.describe('Whether the select restriction is required.')),
  enableOptionQuantity: z.nullish(field.boolean).check(z.describe('Enables quantity per option.')),
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
/** The parts of a modifier that is not complete yet: its options may still lack their ids. */
const parts = z.partial(z.extend(item, { options: z.array(option) }))
type Parts = z.output<typeof parts>

/** How many options a guest may choose. */
function getMaxChosen({ type, rules = {} }: Parts): number {
  if (type === 'RADIO' || rules.allowedMultiple === false) return 1
  return rules.selectRestriction || Number.POSITIVE_INFINITY
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
    yield { pointer: '/rules/selectRestriction', code: 'conflict', message: `there are only ${options.length} options` }
  }
  const most = getMaxChosen(modifier)
  if (options.filter(({ preSelected }) => preSelected).length > most) {
    yield { pointer: '/options', code: 'conflict', message: `only ${most} may be chosen, but more are preSelected` }
  }
}

export const modifiers = defineResource({
  name: 'modifier',
  fields: z.strictObject({
    title: field.title,
    instructions: field.text,
    description: z.nullish(field.text),
    type: z.nullish(z.enum(['CHECKBOX', 'RADIO'])),
    rules: z.nullish(ruleFields),
    options: z.nullish(field.list(option, limits.options)),
  }),
  item: item.register(z.globalRegistry, { description: 'Options that can be added to a product.' }),
  table: modifierTable,
  createOnly: {},
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
  hooks: {
    defaults: () => ({ type: 'CHECKBOX', rules: {}, options: [] }),
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
      return [title, description]
    },
  },
})
