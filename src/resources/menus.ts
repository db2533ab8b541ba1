import { type Placeholder, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { menuProducts, menuTable } from '../db/schema/resources/menus.ts'
import { productTable } from '../db/schema/resources/products.ts'
import type { Issue } from '../errors.ts'
import * as field from '../http/fields.ts'
import { booleanFilter } from '../http/pagination.ts'
import { createId } from '../lib/ids.ts'
import { baseFields, type Draft, defineResource } from '../resource/definition.ts'
import { createReference } from '../resource/references.ts'

const { limits } = field

const section = z.strictObject({
  id: z.nullish(field.reference).check(z.describe('Made by the service; on update, that of a section the menu has.')),
  title: z.nullish(field.label),
  description: z.nullish(field.text),
  type: z.pipe(
    z.pipe(
      z.nullish(z.enum(['LIST'])),
      z.transform((type) => type ?? 'LIST'),
    ),
    z.enum(['LIST']),
  ),
  items: z
    .pipe(
      z.pipe(
        z.nullish(field.set(field.reference, limits.menuItems)),
        z.transform((items) => items ?? []),
      ),
      z.array(z.string()),
    )
    .check(z.describe('Products by their ids.')),
})

/** Four digits, hours and minutes. */
const timeField = (form: RegExp, last: string) =>
  z.string().check(z.regex(form, { error: `must be hours and minutes in four digits, 0000 to ${last}` }))
const beginField = timeField(/^(?:[01]\d|2[0-3])[0-5]\d$/, '2359')
const endField = timeField(/^(?:(?:[01]\d|2[0-3])[0-5]\d|2400)$/, '2400')

const fields = z.strictObject({
  title: field.title,
  description: z.nullish(field.text),
  showSectionNavigation: z
    .nullish(field.boolean)
    .check(z.describe('Whether customers see a navigation between the sections.')),
  hideCategoryNavigation: z
    .nullish(field.boolean)
    .check(z.describe('The inverse of showSectionNavigation; not stored.')),
  visible: z.nullish(field.boolean).check(z.describe('Whether customers can see the menu.')),
  allDayMenu: z
    .nullish(field.boolean)
    .check(z.describe('Available at any time. Where it is not given and `begin` and `end` are, it becomes false.')),
  begin: z
    .nullish(beginField)
    .check(z.describe("When the menu begins, by the venue's clock: hours and minutes. Given along with `end`.")),
  end: z.nullish(endField).check(z.describe('When the menu ends; before `begin` it is on the next day.')),
  branding: z.nullish(z.strictObject({ banner: z.nullish(field.picture), icon: z.nullish(field.picture) })),
  sections: z
    .nullish(field.list(section, limits.sections))
    .check(z.describe(`At most ${limits.menuItems} items in all sections together.`)),
})

const picture = z.union([z.literal(false), z.string()])
const storedSection = z.object({
  id: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  type: z.enum(['LIST']),
  items: z.array(z.string()),
})
const item = z.object({
  ...baseFields,
  title: z.string(),
  description: z.optional(z.string()),
  showSectionNavigation: z.boolean(),
  visible: z.boolean(),
  allDayMenu: z.boolean(),
  begin: z.optional(z.string()),
  end: z.optional(z.string()),
  branding: z.object({ banner: z.optional(picture), icon: z.optional(picture) }),
  sections: z.array(storedSection),
})
/** The parts of a menu that is not complete yet: its sections may still lack their ids. */
const parts = z.partial(z.extend(item, { sections: z.array(z.partial(storedSection, { id: true })) }))
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

/** The sections without one product, everything else of them as it was. */
const sectionsWithout = (id: Placeholder) => sql`(
  select json_group_array(json(section)) from (
    select case when outer.type <> 'object' then ${menuTable.sections} -> outer.fullkey else json_set(outer.value, '$.items', json((
      select json_group_array(value) from (
        select value from json_each(outer.value, '$.items') where value <> ${id} order by key
      )
    ))) end as section
    from json_each(${menuTable.sections}) as outer order by outer.key
  )
)`

export const menus = defineResource({
  name: 'menu',
  fields,
  createOnly: {},
  item: item.register(z.globalRegistry, {
    description: 'Products that customers can order, arranged in sections and optionally limited to a time window.',
  }),
  table: menuTable,
  filters: { visible: booleanFilter },
  references: [
    createReference({
      target: productTable,
      links: menuProducts,
      path: ['sections', '*', 'items'],
      without: sectionsWithout,
    }),
  ],
  examples: {
    create: {
      title: 'Breakfast',
      begin: '0700',
      end: '1130',
      sections: [{ title: 'Coffee', items: ['prod_01kajqb2kefz3t5ydm0pg6n9rw'] }],
    },
    update: { end: '1200' },
  },
  hooks: {
    translate({ hideCategoryNavigation: hide, ...patch }) {
      if (hide === undefined) return patch
      return { ...patch, showSectionNavigation: patch['showSectionNavigation'] ?? (hide === null ? null : !hide) }
    },
    resetFields: ({ begin, end }) => (typeof begin === 'string' && typeof end === 'string' ? ['allDayMenu'] : []),
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
    searchTexts(draft) {
      const { title, description, sections = [] } = parts.parse(draft)
      return [title, description, ...sections.flatMap((section) => [section.title, section.description])]
    },
  },
})
