import { sql } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import type { Issue } from '../core/errors.ts'
import * as field from '../core/fields.ts'
import { createId } from '../core/ids.ts'
import { baseColumns, baseFields, constraints, defineResource, isList, isObject, isSized } from '../core/resource.ts'

const { limits } = field

const option = z.strictObject({
  id: field.ownId
    .nullish()
    .meta({ description: 'Unique in the modifier and kept as given; made by the service where none is given.' }),
  label: field.label.nullish(),
  additionalCost: field.surcharge.nullish(),
  additionalCalories: field.count.nullish(),
  preSelected: field.boolean.nullish(),
})

const ruleFields = z.strictObject({
  required: field.boolean.nullish().meta({ description: 'Whether the modifier is required.' }),
  allowedMultiple: field.boolean
    .nullish()
    .meta({ description: 'Whether several options may be chosen; never with RADIO.' }),
  selectRestriction: field.count
    .nullish()
    .meta({ description: 'How many options may be chosen; 0 or absent is any number.' }),
  requireSelectRestriction: field.boolean
    .nullish()
    .meta({ description: 'Whether the select restriction is required.' }),
  enableOptionQuantity: field.boolean.nullish().meta({ description: 'Enables quantity per option.' }),
})

const item = z.object({
  ...baseFields,
  title: z.string(),
  instructions: z.string(),
  description: z.string().optional(),
  type: z.enum(['CHECKBOX', 'RADIO']),
  rules: z.object({
    required: z.boolean().optional(),
    allowedMultiple: z.boolean().optional(),
    selectRestriction: z.number().optional(),
    requireSelectRestriction: z.boolean().optional(),
    enableOptionQuantity: z.boolean().optional(),
  }),
  options: z.array(
    z.object({
      id: z.string(),
      label: z.string().optional(),
      additionalCost: z.number().optional(),
      additionalCalories: z.number().optional(),
      preSelected: z.boolean().optional(),
    }),
  ),
})
/** The parts of a modifier that is not complete yet: its options may still lack their ids. */
const parts = item.extend({ options: z.array(option) }).partial()
type Parts = z.output<typeof parts>

/** How many options a guest may choose. */
function mostChosen({ type, rules = {} }: Parts): number {
  if (type === 'RADIO' || rules.allowedMultiple === false) return 1
  return rules.selectRestriction || Number.POSITIVE_INFINITY
}

function* contradictions(modifier: Parts): Iterable<Issue> {
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
  const most = mostChosen(modifier)
  if (options.filter(({ preSelected }) => preSelected).length > most) {
    yield { pointer: '/options', code: 'conflict', message: `only ${most} may be chosen, but more are preSelected` }
  }
}

export const modifiers = defineResource({
  name: 'modifier',
  idPrefix: 'mod',
  fields: z.strictObject({
    title: field.title,
    instructions: field.text,
    description: field.text.nullish(),
    type: z.enum(['CHECKBOX', 'RADIO']).nullish(),
    rules: ruleFields.nullish(),
    options: field.list(option, limits.options).nullish(),
  }),
  item: item.meta({ description: 'Options that can be added to a product.' }),
  table: sqliteTable(
    'modifiers',
    {
      ...baseColumns,
      title: text().notNull(),
      instructions: text().notNull(),
      description: text(),
      type: text({ enum: ['CHECKBOX', 'RADIO'] }).notNull(),
      rules: text({ mode: 'json' }).notNull(),
      options: text({ mode: 'json' }).notNull(),
    },
    (table) =>
      constraints('modifiers', table, {
        checks: {
          title: isSized(table.title, 1, limits.title),
          instructions: isSized(table.instructions, 0, limits.text),
          description: isSized(table.description, 0, limits.text),
          type: sql`${table.type} in ('CHECKBOX', 'RADIO')`,
          rules: isObject(table.rules),
          options: isList(table.options),
        },
      }),
  ),
  createOnly: {},
  filters: {},
  hooks: {
    defaults: () => ({ type: 'CHECKBOX', rules: {}, options: [] }),
    check: (draft) => [...contradictions(parts.parse(draft))],
    complete: (draft) => ({
      ...draft,
      options: (parts.parse(draft).options ?? []).map(({ id, ...option }) => ({
        id: id ?? createId('opt'),
        ...option,
      })),
    }),
    searched(draft) {
      const { title, description } = parts.parse(draft)
      return [title, description]
    },
  },
})
