import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../app/api.ts'
import { t } from '../../../app/language.ts'
import { hasScope } from '../../../app/session.ts'
import type { EditorPart } from '../../../objects/editor-parts.ts'
import { RemoveButton } from '../../../ui/plain-rows.tsx'
import { AddSelect } from '../../../ui/select.tsx'
import { showError } from '../../../ui/toasts.tsx'

/** Maximum number of menus whose sections are offered. */
const maxMenus = 100

/** A section of a menu. */
interface Place {
  menu: string
  section: string
  /** Its menu and its title: `Breakfast › Warm`. */
  name: string
}
type Sections = ReadonlySet<string>
export interface MenuPlaces {
  part: EditorPart
  all: Signal<readonly Place[]>
  /** Ids of the sections that the person wants. */
  chosen: Signal<Sections>
}

/** Adds a product to a section, or removes it there. */
async function place({ menu, section }: Place, product: string, isWanted: boolean): Promise<void> {
  await api().menus.edit(menu, ({ sections }) => ({
    sections: sections.map((each) => {
      if (each.id !== section || each.items.includes(product) === isWanted) return each
      return { ...each, items: isWanted ? [...each.items, product] : each.items.filter((id) => id !== product) }
    }),
  }))
}

/** The sections of menus in which a product stands, as a part of its editor. */
export function useMenuPlaces(product: string | undefined): MenuPlaces {
  const all = useSignal<readonly Place[]>([])
  const stored = useSignal<Sections>(new Set())
  const chosen = useSignal<Sections>(new Set())
  const read = async () => {
    const { items } = await api().menus.list({ limit: maxMenus }).page()
    const places = items.flatMap(({ id, title, sections }) =>
      sections.map((section) => ({
        menu: id,
        section: section.id,
        name: section.title ? `${title} › ${section.title}` : title,
        isUsed: product !== undefined && section.items.includes(product),
      })),
    )
    all.value = places
    stored.value = new Set(places.filter(({ isUsed }) => isUsed).map(({ section }) => section))
    chosen.value = stored.value
  }
  useEffect(() => {
    if (hasScope('menus:write')) read().catch(showError)
  }, [])
  const isOther = ({ section }: Place) => stored.value.has(section) !== chosen.value.has(section)
  return {
    all,
    chosen,
    part: {
      isChanged: () => all.value.some(isOther),
      findErrors: () => new Map(),
      async save(id) {
        const changed = all.value.filter(isOther)
        const wanted = chosen.value
        for (const each of changed) {
          const isWanted = wanted.has(each.section)
          await place(each, id, isWanted)
          const next = new Set(stored.value)
          if (isWanted) next.add(each.section)
          else next.delete(each.section)
          stored.value = next
        }
        return async () => {
          for (const each of changed) await place(each, id, !wanted.has(each.section))
        }
      },
    },
  }
}

/** The sections in which a product stands, and those to which it can be added. */
export function MenuPlaceFields({ places: { all, chosen } }: { places: MenuPlaces }) {
  const { dish: texts, action } = t()
  if (all.value.length === 0) return null
  const toggle = (section: string, isWanted: boolean) => {
    const next = new Set(chosen.value)
    if (isWanted) next.add(section)
    else next.delete(section)
    chosen.value = next
  }
  const [used, free] = [true, false].map((isUsed) =>
    all.value.filter(({ section }) => chosen.value.has(section) === isUsed),
  )
  return (
    <fieldset class="group">
      <legend>{texts.onMenus}</legend>
      {used?.length === 0 && <p class="hint">{t().history.placedNowhere.products}</p>}
      <ul class="ordered">
        {used?.map(({ section, name }) => (
          <li key={section}>
            <span>{name}</span>
            <RemoveButton name={action.removeOf(name)} onClick={() => toggle(section, false)} />
          </li>
        ))}
      </ul>
      {free !== undefined && free.length > 0 && (
        <AddSelect
          label={texts.addToMenu}
          options={free.map(({ section, name }) => [section, name] as const)}
          onAdd={(section) => toggle(section, true)}
        />
      )}
    </fieldset>
  )
}
