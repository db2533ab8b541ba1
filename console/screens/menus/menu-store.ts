import type { Menu } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { locale, t } from '../../app/language.ts'
import type { Row } from '../../objects/change.ts'
import { createStore } from '../../objects/store.ts'
import { moveItem } from '../../ui/sortable.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { type MenuBody, nameOf } from './menu-form.ts'

/** Menus in the order in which guests see them: by position, then by title. */
function compare(a: Menu, b: Menu): number {
  const [first, second] = [a.details?.position ?? Infinity, b.details?.position ?? Infinity]
  return first === second
    ? new Intl.Collator(locale.value, { numeric: true }).compare(a.title, b.title)
    : first - second
}

export const store = createStore<Menu, MenuBody>({
  source: () => ({
    ...api().menus,
    list: (query, options) => api().menus.list({ ...query, include: ['version', 'details'] }, options),
  }),
  titleOf: ({ title }) => title,
  nameOf,
  compare,
})

/** Moves a menu to another place, and offers to take it back. */
export async function moveMenu(from: number, to: number): Promise<void> {
  const before = store.rows.value
  const after = moveItem(before, from, to).map(
    ({ item, etag }, position): Row<Menu> => ({ item: { ...item, details: { ...item.details, position } }, etag }),
  )
  const moved = before[from]
  store.rows.value = after
  try {
    for (const [position, { item }] of after.entries()) {
      const known = before.find((row) => row.item.id === item.id)
      if (known?.item.details?.position !== position) await api().menus.updateDetails(item.id, { position })
    }
    if (moved) showStatus(t().menus.moved(moved.item.title, to + 1), () => void moveMenu(to, from))
  } catch (error) {
    showError(error)
    await store.load()
  }
}

export async function setVisible(row: Row<Menu>, visible: boolean): Promise<void> {
  const { menus: texts } = t()
  try {
    const saved = await store.update(row, { visible })
    if (!saved.isMine) return
    showStatus((visible ? texts.shown : texts.hidden)(row.item.title), () => void setVisible(saved.row, !visible))
  } catch (error) {
    showError(error)
  }
}
