import { signal } from '@preact/signals'
import { api } from '../../app/api.ts'
import { parsePrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { hasScope, session } from '../../app/session.ts'
import { toMetadata } from '../tables/table-label.ts'
import { loadScans } from './today-data.ts'

/** Steps from an empty venue to the first scan that are done. */
export interface Start {
  /** A dish that guests can find, by its name; undefined if there is no dish. */
  dish: string | undefined
  menu: string | undefined
  /** Ids of the tables, as many as one page has. */
  tables: readonly string[]
  hasScans: boolean
}

/** The state of the list; undefined until it is read. */
export const startState = signal<Start | undefined>(undefined)

const doneName = () => `console.started ${session.value?.merchant.id}`
/** Whether the venue had a scan when this browser last looked: the list is never shown again then. */
export const hasStarted = () => localStorage.getItem(doneName()) !== null
export const endStart = () => localStorage.setItem(doneName(), '1')

/** Whether the person may do all steps. */
export const mayStart = () => ['products:write', 'menus:write', 'tags:write'].every(hasScope)

export async function loadStart(): Promise<void> {
  const { products, menus, tags } = api()
  const [dishes, cards, tables, scans] = await Promise.all([
    products.list({ limit: 1 }).page(),
    menus.list({ limit: 1 }).page(),
    tags.list({ limit: 100 }).page(),
    loadScans(),
  ])
  if (scans.total > 0) endStart()
  startState.value = {
    dish: dishes.items[0]?.title,
    menu: cards.items[0]?.title,
    tables: tables.items.map(({ id }) => id),
    hasScans: scans.total > 0,
  }
}

/** Creates a dish, and puts it into a section of the first menu. Without a menu, creates one. */
export async function addDish(title: string, typedPrice: string, section: string): Promise<void> {
  const { products, menus } = api()
  const { id } = await products.create({ title, price: parsePrice(typedPrice) ?? 0 })
  const [first] = (await menus.list({ limit: 1, order: 'asc' }).page()).items
  if (!first) {
    await menus.create({ title: t().today.firstMenu, sections: [{ title: section, items: [id] }] })
    return
  }
  const isThere = first.sections.some((each) => each.title === section)
  const sections = first.sections.map((each) =>
    each.title === section ? { ...each, items: [...each.items, id] } : each,
  )
  await menus.update(first.id, { sections: isThere ? sections : [...sections, { title: section, items: [id] }] })
}

/** Creates the tables 1 to `count`. */
export async function addTables(count: number): Promise<void> {
  const name = t().tables.label
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  await api().batch(
    numbers.map((number) => ({
      op: 'create' as const,
      resource: 'tags' as const,
      body: { metadata: toMetadata(name, number, '') },
    })),
  )
}
