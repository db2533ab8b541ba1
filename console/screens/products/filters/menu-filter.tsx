import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Menu } from '../../../../packages/client/src/client.ts'
import { api } from '../../../app/api.ts'
import { useChanges } from '../../../app/frame/pulse.ts'
import { keep } from '../../../app/kept.ts'
import { t } from '../../../app/language.ts'
import { hasScope } from '../../../app/session.ts'

/** The menu, and its section, whose products the list shows. Empty: all. */
export const shownMenu = keep('menu', '')
const shownSection = keep('section', '')

/** The menus of the venue, for the choice of one. */
const menus = signal<readonly Menu[]>([])
/** Maximum number of menus that are offered. */
const maxMenus = 200

const findSections = () => menus.value.find(({ id }) => id === shownMenu.value)?.sections ?? []

/** Ids of the products in the chosen section. Undefined without one. */
export async function listSectionItems(): Promise<ReadonlySet<string> | undefined> {
  if (shownSection.value !== '' && menus.value.length === 0) await load()
  // A section that was kept may be deleted.
  if (shownSection.value === '') return undefined
  return new Set(findSections().find(({ id }) => id === shownSection.value)?.items)
}

/** Reads the menus. A menu or a section that was kept may be deleted: then all products are shown. */
async function load() {
  const found: Menu[] = []
  for await (const menu of api().menus.list({ limit: 100 })) {
    found.push(menu)
    if (found.length === maxMenus) break
  }
  menus.value = found
  if (!found.some(({ id }) => id === shownMenu.value)) shownMenu.value = ''
  if (!findSections().some(({ id }) => id === shownSection.value)) shownSection.value = ''
}

const Choice = (props: {
  label: string
  value: string
  options: readonly { id: string; title: string }[]
  onChange: (id: string) => void
}) => (
  <select aria-label={props.label} onChange={({ currentTarget }) => props.onChange(currentTarget.value)}>
    <option value="" selected={props.value === ''}>
      {props.label}
    </option>
    {props.options.map(({ id, title }) => (
      <option key={id} value={id} selected={id === props.value}>
        {title}
      </option>
    ))}
  </select>
)

/** Choices of a menu, and of one of its sections. They are there once the venue has menus. */
export function MenuFilter({ onChange }: { onChange: () => void }) {
  const { product: texts } = t()
  const read = async () => {
    if (!hasScope('menus:read')) return
    const wasFiltered = shownMenu.value !== ''
    await load().catch(() => undefined)
    // Sections may have other products now.
    if (wasFiltered) onChange()
  }
  useEffect(() => void read(), [])
  useChanges(['menus'], read)
  const sections = findSections().flatMap(({ id, title }) => (title ? [{ id, title }] : []))
  if (menus.value.length === 0) return null
  return (
    <>
      <Choice
        label={texts.byMenu}
        value={shownMenu.value}
        options={menus.value}
        onChange={(id) => {
          shownMenu.value = id
          shownSection.value = ''
          onChange()
        }}
      />
      {sections.length > 1 && (
        <Choice
          label={texts.bySection}
          value={shownSection.value}
          options={sections}
          onChange={(id) => {
            shownSection.value = id
            onChange()
          }}
        />
      )}
    </>
  )
}
