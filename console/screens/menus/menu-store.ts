import { signal } from '@preact/signals'
import type { Menu, ReleaseChange } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { isDrafted } from '../../app/frame/prepared.ts'
import { locale, t } from '../../app/language.ts'
import type { Row } from '../../objects/change.ts'
import { readTitles } from '../../objects/known-products.ts'
import { createStore } from '../../objects/store.ts'
import { moveItem } from '../../ui/sortable.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { formatTimeOfDay, type MenuBody, nameOf } from './menu-form.ts'

/** Menus in the order in which guests see them: by position, then by title. */
function compare(a: Menu, b: Menu): number {
  const [first, second] = [a.details?.position ?? Infinity, b.details?.position ?? Infinity]
  return first === second
    ? new Intl.Collator(locale.value, { numeric: true }).compare(a.title, b.title)
    : first - second
}

export const store = createStore<Menu, MenuBody>({
  name: 'menus',
  source: () => ({
    ...api().menus,
    list: (query, options) => api().menus.list({ ...query, include: ['version', 'details'] }, options),
  }),
  titleOf: ({ title }) => title,
  nameOf,
  async show(field, { sections = [], begin, end }) {
    if (field === 'begin' || field === 'end') return formatTimeOfDay(field === 'begin' ? begin : end)
    if (field !== 'sections') return undefined
    const texts = sections.map(async ({ title, description, items }) =>
      [title, description, await readTitles(items)].filter(Boolean).join(': '),
    )
    return (await Promise.all(texts)).join('; ')
  },
  compare,
})

/** The change that an open editor of a menu would store, for its preview. */
export const typedChange = signal<ReleaseChange | undefined>(undefined)

type Position = readonly [id: string, position: number | null]
const listPositions = (rows: readonly Row<Menu>[]) =>
  rows.map(({ item }): Position => [item.id, item.details?.position ?? null])

/** Stores positions and shows a message. If one cannot be stored, shows the stored positions. */
async function storePositions(positions: readonly Position[], say: () => void): Promise<void> {
  try {
    for (const [id, position] of positions) await api().menus.updateDetails(id, { position })
    say()
  } catch (error) {
    showError(error)
    await store.load()
  }
}

/** Moves a menu to another position among all menus, and offers to undo it. */
export async function moveMenu(title: string, from: number, to: number): Promise<void> {
  const before = new Map(listPositions(store.rows.value))
  store.rows.value = moveItem(store.rows.value, from, to).map(({ item, etag }, position) => ({
    item: { ...item, details: { ...item.details, position } },
    etag,
  }))
  const changed = listPositions(store.rows.value).filter(([id, position]) => before.get(id) !== position)
  const takeBack = async () => {
    await storePositions(
      changed.map(([id]) => [id, before.get(id) ?? null]),
      () => showStatus(t().object.undone),
    )
    await store.load()
  }
  await storePositions(changed, () => showStatus(t().menus.moved(title, to + 1), takeBack))
}

export async function setVisible(row: Row<Menu>, visible: boolean): Promise<void> {
  const { menus: texts, release } = t()
  try {
    const saved = await store.update(row, { visible })
    if (!saved.isMine) return
    const { title } = row.item
    const text = isDrafted()
      ? (visible ? release.willShow : release.willHide)(1, title)
      : (visible ? texts.shown : texts.hidden)(title)
    showStatus(text, () => void setVisible(saved.row, !visible))
  } catch (error) {
    showError(error)
  }
}
