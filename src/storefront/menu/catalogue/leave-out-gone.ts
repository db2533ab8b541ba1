import type { PublicModifier, PublicProduct } from '../public-menu.ts'

type Modifiers = ReadonlyMap<string, PublicModifier>
type Products = ReadonlyMap<string, PublicProduct>
type Option = PublicModifier['options'][number]
type Part = NonNullable<PublicProduct['bundle']>['groups'][number]['items'][number]

/** Objects of a catalogue, and which of those that they name exist. */
interface NamedObjects {
  products: Products
  modifiers: Modifiers
  /** Whether an object exists, or may exist because something was left out for its size. Damaged ones exist. */
  isKept: (id: string) => boolean
  /** Whether all products were read. */
  isWhole: boolean
}

const mapValues = <Value>(map: ReadonlyMap<string, Value>, change: (value: Value) => Value) =>
  new Map(Array.from(map, ([id, value]) => [id, change(value)]))

/** Whether a part still is one: it exists, it is no bundle, and it has the size. Parts that are not known here stay. */
function isPartKept({ product: id, size }: Part, { products, isKept }: NamedObjects): boolean {
  const product = products.get(id)
  if (!product) return isKept(id)
  if (product.bundle) return false
  return (
    size === undefined || product.lacksChoices === true || (product.sizes ?? []).some(({ option }) => option === size)
  )
}

/** An option without modifiers that are gone, and without costs at sizes that no product has. */
function keepOption(
  { modifiers, sizedCosts, ...option }: Option,
  { isKept }: NamedObjects,
  sizes?: Set<string>,
): Option {
  const kept = modifiers?.filter(isKept) ?? []
  const costs = Object.entries(sizedCosts ?? {}).filter(([size]) => sizes?.has(size) ?? true)
  return {
    ...option,
    ...(kept.length > 0 && { modifiers: kept }),
    ...(costs.length > 0 && { sizedCosts: Object.fromEntries(costs) }),
  }
}

/** The modifiers of a catalogue without what their options name and is gone. */
export function keepModifiers(objects: NamedObjects): Map<string, PublicModifier> {
  const ofProducts = () =>
    new Set([...objects.products.values()].flatMap(({ sizes = [] }) => sizes.map(({ option }) => option)))
  const sizes = objects.isWhole ? ofProducts() : undefined
  return mapValues(objects.modifiers, (modifier) => ({
    ...modifier,
    options: modifier.options.map((option) =>
      option.modifiers || option.sizedCosts ? keepOption(option, objects, sizes) : option,
    ),
  }))
}

/** Products whose bundles lack the parts that are gone. */
export const keepParts = (some: Products, objects: NamedObjects): Map<string, PublicProduct> =>
  mapValues(some, (product) =>
    product.bundle
      ? {
          ...product,
          bundle: {
            groups: product.bundle.groups.map((group) => ({
              ...group,
              items: group.items.filter((part) => isPartKept(part, objects)),
            })),
          },
        }
      : product,
  )
