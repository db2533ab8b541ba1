import type { EditedForm } from '../../objects/fields.tsx'
import { getDropIndex, moveItem } from '../../ui/sortable.tsx'
import type { MenuForm, SectionForm } from './menu-form.ts'

/** Allowed drag targets: products over products of any section, sections over sections. */
export const itemGroup = 'items'
export const sectionGroup = 'sections'
/** Position of a product in a section, or the end of the section without a product. */
export const toDragKey = (section: string, item: string) => `${section} ${item}`

/** The sections of an edited menu, and the moves of their products. */
export function createSectionPlan(of: EditedForm<MenuForm>) {
  const { sections } = of.form
  const set = (next: readonly SectionForm[]) => of.set('sections', next)
  const change = (at: number, fields: Partial<SectionForm>) =>
    set(sections.map((section, index) => (index === at ? { ...section, ...fields } : section)))
  /** Moves a product from one section to another, unless that section already has it. */
  const transfer = (from: number, item: string, to: number, place: number) => {
    if (sections[to]?.items.includes(item)) return
    set(
      sections.map((section, index) =>
        index === from
          ? { ...section, items: section.items.filter((id) => id !== item) }
          : index === to
            ? { ...section, items: section.items.toSpliced(place, 0, item) }
            : section,
      ),
    )
  }
  return {
    sections,
    set,
    change,
    setItems: (at: number, items: readonly string[]) => change(at, { items }),
    /** Moves a product by one position. Past the end of its section, it moves into the next one. */
    stepItem(at: number, index: number, by: 1 | -1) {
      const items = sections[at]?.items ?? []
      const item = items[index]
      if (item === undefined) return
      if (index + by >= 0 && index + by < items.length) change(at, { items: moveItem(items, index, index + by) })
      else transfer(at, item, at + by, by < 0 ? (sections[at + by]?.items.length ?? 0) : 0)
    },
    dragItem(item: string, over: string, isAfter: boolean) {
      const [key, target = ''] = over.split(' ')
      const to = sections.findIndex((section) => section.key === key)
      const overItems = sections[to]?.items
      if (!overItems || item === target) return
      const place = overItems.indexOf(target)
      const within = overItems.indexOf(item)
      if (within >= 0) {
        if (place >= 0) change(to, { items: moveItem(overItems, within, getDropIndex(within, place, isAfter)) })
        return
      }
      const from = sections.findIndex(({ items }) => items.includes(item))
      transfer(from, item, to, place < 0 ? overItems.length : place + (isAfter ? 1 : 0))
    },
    moveSection: (from: number, to: number) => set(moveItem(sections, from, to)),
    dragSection(key: string, over: string, isAfter: boolean) {
      const [from, to] = [key, over].map((wanted) => sections.findIndex((section) => section.key === wanted))
      if (from === undefined || to === undefined || from === to || from < 0 || to < 0) return
      set(moveItem(sections, from, getDropIndex(from, to, isAfter)))
    },
  }
}
export type SectionPlan = ReturnType<typeof createSectionPlan>
