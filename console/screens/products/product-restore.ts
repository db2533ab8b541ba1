import { api } from '../../app/api.ts'
import { hasScope } from '../../app/session.ts'
import type { EditorPart } from '../../objects/editor-parts.ts'

/** Puts a product that a deletion took away back on its menus. */
export const menuPlaces: EditorPart = {
  isChanged: () => false,
  findErrors: () => new Map(),
  save: async () => undefined,
  async prepareRestore({ id: product }) {
    const places: { menu: string; section: string; index: number }[] = []
    if (hasScope('menus:write')) {
      for await (const menu of api().menus.list({ limit: 100 })) {
        for (const { id, items } of menu.sections) {
          const index = items.indexOf(product)
          if (index >= 0) places.push({ menu: menu.id, section: id, index })
        }
      }
    }
    return async ({ id: restored }) => {
      for (const { menu, section, index } of places) {
        await api().menus.edit(menu, ({ sections }) => ({
          sections: sections.map((each) =>
            each.id === section ? { ...each, items: each.items.toSpliced(index, 0, restored) } : each,
          ),
        }))
      }
    }
  },
}
