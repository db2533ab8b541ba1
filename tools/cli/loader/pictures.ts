import type { CatalogueFile } from './catalogue-file.ts'

const isPath = (value: unknown): value is string => typeof value === 'string' && /^\/(?!\/)/.test(value)

/** Names of fields that contain the address of a picture. */
const pictureFields: ReadonlySet<string> = new Set(['url', 'banner', 'icon'])

function resolve(value: unknown, origin: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => resolve(inner, origin))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      pictureFields.has(key) && isPath(inner) ? origin + inner : resolve(inner, origin),
    ]),
  )
}

/** Makes paths of pictures (`/demo/banner.svg`) absolute: they are relative to the service that the catalogue is loaded into. */
export const resolvePictures = <Row extends CatalogueFile>(catalogue: Row, origin: string): Row => ({
  ...catalogue,
  ...Object.fromEntries([
    ...(catalogue.products
      ? [['products', catalogue.products.map((row) => resolvePicture(row, 'images', origin))]]
      : []),
    ...(catalogue.menus ? [['menus', catalogue.menus.map((row) => resolvePicture(row, 'branding', origin))]] : []),
  ]),
})

const resolvePicture = (row: Readonly<Record<string, unknown>>, field: string, origin: string) =>
  field in row ? { ...row, [field]: resolve(row[field], origin) } : row
