import type { Venue } from '../../support/api.ts'
import { importFile, listIssues } from '../../support/imports.ts'

interface Product {
  id: string
  title: string
  price: number
  sku?: string
  visible: boolean
}
interface Size {
  price: number
  sku?: string
}

/** Imports an export of another system. Returns its preset, questions, notices and issues, and its products with their sizes as `toSize` shows them. */
export async function loadExport(
  venue: Venue,
  lines: readonly string[],
  toSize: (size: Size) => unknown = ({ price }) => price,
) {
  const done = await importFile(venue, 'mapping=auto', `${lines.join('\n')}\n`, { 'content-type': 'text/plain' })
  const products: Product[] = (await venue.get('/products?order=asc')).body
  const found = await Promise.all(
    products.map(async ({ id, title, price, sku, visible }) => {
      const { sizes } = (await venue.get(`/products/${id}/details`)).body
      return [title, sizes ? Object.values<Size>(sizes.prices).map(toSize) : price, sku, visible]
    }),
  )
  const { preset, questions, notices } = done.reading
  return { preset, questions, notices, issues: await listIssues(venue, done.id), found }
}

/** The sections of the first menu of a venue, each with the number of its items. */
export async function listSections(venue: Venue) {
  const [menu] = (await venue.get('/menus')).body
  return menu.sections.map(({ title, items }: { title: string; items: string[] }) => [title, items.length])
}
