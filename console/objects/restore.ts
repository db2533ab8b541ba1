import { api, personApi } from '../app/api.ts'
import { hasScope, session } from '../app/session.ts'
import type { EditorPart } from './editor-parts.ts'

/** A part that is needed only when a deletion is undone. */
export const createRestorePart = (prepareRestore: EditorPart['prepareRestore']): EditorPart => ({
  isChanged: () => false,
  findErrors: () => new Map(),
  save: async () => undefined,
  prepareRestore,
})

/** The external id of an object of a resource: the restored object gets it. */
export const createExternalIdPart = (resource: string) =>
  createRestorePart(async ({ id }) => {
    const at = (object: string) => `/merchants/${session.value?.merchant.id}/${resource}/${object}`
    const query = { include: 'externalId' }
    const { externalId } = await personApi.get<{ externalId?: string }>(at(id), query)
    return async (restored) => {
      if (externalId === undefined) return
      await personApi.send({ method: 'POST', path: `${at(restored.id)}/external-id`, body: { externalId } })
    }
  })

/** Inserts an id at its previous position, or at the end if the list is now shorter. */
const insert = (ids: readonly string[], index: number, id: string) =>
  ids.includes(id) ? [...ids] : ids.toSpliced(index, 0, id)

/** The uses of a product: on menus, with its prices there, and in coupons. Also whether it is sold out. */
export const productPlaces = createRestorePart(async ({ id: product }) => {
  const { menus, coupons, products } = api()
  const filter = { product, limit: 100 }
  const undo: ((restored: string) => Promise<unknown>)[] = []
  if (hasScope('menus:write')) {
    for await (const { id: menu, sections, details } of menus.list({ ...filter, include: ['details'] })) {
      undo.push((restored) =>
        menus.edit(menu, (current) => ({
          sections: current.sections.map((each) => {
            const index = sections.find(({ id }) => id === each.id)?.items.indexOf(product) ?? -1
            return index < 0 ? each : { ...each, items: insert(each.items, index, restored) }
          }),
        })),
      )
      const entry = details?.prices?.find((each) => each.product === product)
      if (!entry) continue
      undo.push(async (restored) => {
        const { prices = [] } = await menus.details(menu)
        await menus.updateDetails(menu, { prices: [...prices, { ...entry, product: restored }] })
      })
    }
  }
  if (hasScope('coupons:write')) {
    for await (const { id: coupon, products: covered, applyToAllProducts } of coupons.list(filter)) {
      undo.push((restored) =>
        coupons.edit(coupon, (current) => ({
          products: insert(current.products, covered.indexOf(product), restored),
          applyToAllProducts,
        })),
      )
    }
  }
  if (hasScope('stock:write')) {
    const { until } = await products.availability(product)
    if (until !== undefined) undo.push((restored) => products.soldOut(restored, until))
  }
  return async ({ id }) => {
    for (const restore of undo) await restore(id)
  }
})

/** The products that offer a modifier, with its options as their sizes, and their rules for it. */
export const modifierPlaces = createRestorePart(async ({ id: modifier, options = [] }) => {
  const { products } = api()
  const places: { id: string; index: number; sizes: string | undefined; rules: string | undefined }[] = []
  if (hasScope('products:write')) {
    for await (const { id, modifiers, details } of products.list({ modifier, limit: 100, include: ['details'] })) {
      const rule = details?.modifierRules?.find((each) => each.modifier === modifier)
      places.push({
        id,
        index: modifiers.indexOf(modifier),
        sizes: details?.sizes?.modifier === modifier ? JSON.stringify(details.sizes) : undefined,
        rules: rule && JSON.stringify(rule),
      })
    }
  }
  return async ({ id: restored, options: made = [] }) => {
    const renamed = new Map([[modifier, restored], ...options.map(({ id }, at) => [id, made[at]?.id ?? id] as const)])
    const rename = (text: string) => JSON.parse([...renamed].reduce((all, [was, is]) => all.replaceAll(was, is), text))
    for (const { id, index, sizes, rules } of places) {
      await products.edit(id, ({ modifiers }) => ({ modifiers: insert(modifiers, index, restored) }))
      if (sizes) await products.updateDetails(id, { sizes: rename(sizes) })
      if (!rules) continue
      const { modifierRules = [] } = await products.details(id)
      await products.updateDetails(id, { modifierRules: [...modifierRules, rename(rules)] })
    }
  }
})
