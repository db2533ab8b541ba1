import { type Placeholder, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import type { Issue } from '../core/errors.ts'
import * as field from '../core/fields.ts'
import { createId } from '../core/ids.ts'
import { booleanFilter } from '../core/pagination.ts'
import {
  baseColumns,
  baseFields,
  constraints,
  type Draft,
  defineResource,
  isBoolean,
  isList,
  isObject,
  isSized,
  linkTable,
} from '../core/resource.ts'
import { products } from './products.ts'

const { limits } = field

const section = z.strictObject({
  id: field.reference
    .nullish()
    .meta({ description: 'Made by the service; on update, that of a section the menu has.' }),
  title: field.label.nullish(),
  description: field.text.nullish(),
  type: z
    .enum(['LIST'])
    .nullish()
    .transform((type) => type ?? 'LIST')
    .pipe(z.enum(['LIST'])),
  items: field
    .set(field.reference, limits.menuItems)
    .nullish()
    .transform((items) => items ?? [])
    .pipe(z.array(z.string()))
    .meta({ description: 'Products by their ids.' }),
})

/** Four digits, hours and minutes. */
const time = (form: RegExp, last: string) =>
  z
    .string({ error: 'must be a string' })
    .regex(form, { error: `must be hours and minutes in four digits, 0000 to ${last}` })
const begin = time(/^(?:[01]\d|2[0-3])[0-5]\d$/, '2359')
const end = time(/^(?:(?:[01]\d|2[0-3])[0-5]\d|2400)$/, '2400')

const fields = z.strictObject({
  title: field.title,
  description: field.text.nullish(),
  showSectionNavigation: field.boolean
    .nullish()
    .meta({ description: 'Whether customers see a navigation between the sections.' }),
  hideCategoryNavigation: field.boolean
    .nullish()
    .meta({ description: 'The inverse of showSectionNavigation; not stored.' }),
  visible: field.boolean.nullish().meta({ description: 'Whether customers can see the menu.' }),
  allDayMenu: field.boolean.nullish().meta({
    description: 'Available at any time. Where it is not given and `begin` and `end` are, it becomes false.',
  }),
  begin: begin
    .nullish()
    .meta({ description: "When the menu begins, by the venue's clock: hours and minutes. Given along with `end`." }),
  end: end.nullish().meta({ description: 'When the menu ends; before `begin` it is on the next day.' }),
  branding: z.strictObject({ banner: field.picture.nullish(), icon: field.picture.nullish() }).nullish(),
  sections: field
    .list(section, limits.sections)
    .nullish()
    .meta({ description: `At most ${limits.menuItems} items in all sections together.` }),
})

const picture = z.union([z.literal(false), z.string()])
const storedSection = z.object({
  id: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  type: z.enum(['LIST']),
  items: z.array(z.string()),
})
const item = z.object({
  ...baseFields,
  title: z.string(),
  description: z.string().optional(),
  showSectionNavigation: z.boolean(),
  visible: z.boolean(),
  allDayMenu: z.boolean(),
  begin: z.string().optional(),
  end: z.string().optional(),
  branding: z.object({ banner: picture.optional(), icon: picture.optional() }),
  sections: z.array(storedSection),
})
/** The parts of a menu that is not complete yet: its sections may still lack their ids. */
const parts = item.extend({ sections: z.array(storedSection.partial({ id: true })) }).partial()
type Parts = z.output<typeof parts>

function* timeIssues({ begin, end, allDayMenu }: Parts): Iterable<Issue> {
  const missing = (pointer: string, message: string): Issue => ({ pointer, code: 'required', message })
  if (begin !== undefined && end === undefined) yield missing('/end', 'must be given along with begin')
  else if (end !== undefined && begin === undefined) yield missing('/begin', 'must be given along with end')
  else if (begin === undefined && allDayMenu === false) {
    yield missing('/begin', 'must be given unless the menu is an all-day one')
    yield missing('/end', 'must be given unless the menu is an all-day one')
  } else if (begin !== undefined && begin === end) {
    yield { pointer: '/end', code: 'conflict', message: 'must differ from begin' }
  }
}

function* sectionIssues({ sections = [] }: Parts, previous: Parts): Iterable<Issue> {
  const known = new Set(previous.sections?.map(({ id }) => id))
  for (const [index, { id }] of sections.entries()) {
    if (id !== undefined && !known.has(id)) {
      yield {
        pointer: `/sections/${index}/id`,
        code: 'read_only_field',
        message: 'is not the id of a section of this menu',
      }
    }
  }
  for (const index of field.duplicates(sections, ({ id }) => id)) {
    yield { pointer: `/sections/${index}/id`, code: 'duplicate', message: 'is the id of another section' }
  }
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  if (items > limits.menuItems) {
    yield { pointer: '/sections', code: 'too_many', message: `must have at most ${limits.menuItems} items together` }
  }
}

function* navigationIssues({ showSectionNavigation: show, hideCategoryNavigation: hide }: Draft): Iterable<Issue> {
  if (typeof hide === 'boolean' && hide === show) {
    yield { pointer: '/hideCategoryNavigation', code: 'conflict', message: 'contradicts showSectionNavigation' }
  }
}

const table = sqliteTable(
  'menus',
  {
    ...baseColumns,
    title: text().notNull(),
    description: text(),
    showSectionNavigation: integer({ mode: 'boolean' }).notNull(),
    visible: integer({ mode: 'boolean' }).notNull(),
    allDayMenu: integer({ mode: 'boolean' }).notNull(),
    begin: text(),
    end: text(),
    branding: text({ mode: 'json' }).notNull(),
    sections: text({ mode: 'json' }).notNull(),
  },
  (table) =>
    constraints('menus', table, {
      lookups: { visible: table.visible },
      checks: {
        title: isSized(table.title, 1, limits.title),
        description: isSized(table.description, 0, limits.text),
        flags: isBoolean(table.showSectionNavigation, table.visible, table.allDayMenu),
        window: sql`case when ${table.begin} is null then ${table.end} is null and ${table.allDayMenu} else ${table.end} is not null and ${table.begin} <> ${table.end} end`,
        begin: sql`${table.begin} glob '[0-2][0-9][0-5][0-9]' and ${table.begin} < '2400'`,
        end: sql`${table.end} glob '[0-2][0-9][0-5][0-9]' and ${table.end} <= '2400'`,
        branding: isObject(table.branding),
        sections: isList(table.sections),
      },
    }),
)

export const menuProducts = linkTable(
  'menu_products',
  () => table.seq,
  () => products.table.seq,
)

/** The sections without one product, everything else of them as it was. */
const withoutProduct = (id: Placeholder) => sql`(
  select json_group_array(json(section)) from (
    select json_set(outer.value, '$.items', json((
      select json_group_array(value) from (
        select value from json_each(outer.value, '$.items') where value <> ${id} order by key
      )
    ))) as section
    from json_each(${table.sections}) as outer order by outer.key
  )
)`

export const menus = defineResource({
  name: 'menu',
  idPrefix: 'menu',
  fields,
  createOnly: {},
  item: item.meta({
    description: 'Products that customers can order, arranged in sections and optionally limited to a time window.',
  }),
  table,
  filters: { visible: booleanFilter },
  references: [
    {
      target: products.table,
      links: menuProducts,
      field: 'sections',
      named: (draft) =>
        (parts.parse(draft).sections ?? []).flatMap(({ items }, section) =>
          items.map((id, index) => ({ pointer: `/sections/${section}/items/${index}`, id })),
        ),
      without: withoutProduct,
    },
  ],
  hooks: {
    translate({ hideCategoryNavigation: hide, ...patch }) {
      if (hide === undefined) return patch
      return { ...patch, showSectionNavigation: patch['showSectionNavigation'] ?? (hide === null ? null : !hide) }
    },
    resets: ({ begin, end }) => (typeof begin === 'string' && typeof end === 'string' ? ['allDayMenu'] : []),
    defaults: ({ begin, end }) => ({
      showSectionNavigation: true,
      visible: true,
      allDayMenu: begin === undefined || end === undefined,
      branding: {},
      sections: [],
    }),
    check(draft, { previous = {} }, patch) {
      const menu = parts.parse(draft)
      return [...timeIssues(menu), ...sectionIssues(menu, parts.parse(previous)), ...navigationIssues(patch)]
    },
    complete: (draft) => ({
      ...draft,
      sections: (parts.parse(draft).sections ?? []).map(({ id, ...section }) => ({
        id: id ?? createId('sec'),
        ...section,
      })),
    }),
    searched(draft) {
      const { title, description, sections = [] } = parts.parse(draft)
      return [title, description, ...sections.flatMap((section) => [section.title, section.description])]
    },
  },
})
