import { api, hasScope } from '../../app/session.ts'
import { toDetails, toDetailsForm } from './details-form.ts'
import { toBody, toForm } from './product-form.ts'
import { create, type Row } from './product-store.ts'

/**
 * Remembers what a deletion takes away with a product. Returns what creates it again, with another id, its details and its places on
 * menus.
 */
export async function prepareRestore({ product }: Row): Promise<() => Promise<void>> {
  const details = await api().products.details(product.id)
  const places: { menu: string; section: string; index: number }[] = []
  if (hasScope('menus:write')) {
    for await (const menu of api().menus.list({ limit: 100 })) {
      for (const { id, items } of menu.sections) {
        const index = items.indexOf(product.id)
        if (index >= 0) places.push({ menu: menu.id, section: id, index })
      }
    }
  }
  return async () => {
    const { id } = (await create(toBody(toForm(product)))).product
    if (Object.keys(details).length > 0) await api().products.updateDetails(id, toDetails(toDetailsForm(details)))
    for (const { menu, section, index } of places) {
      await api().menus.edit(menu, ({ sections }) => ({
        sections: sections.map((each) =>
          each.id === section ? { ...each, items: each.items.toSpliced(index, 0, id) } : each,
        ),
      }))
    }
  }
}
