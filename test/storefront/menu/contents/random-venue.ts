import type { PublicModifier, PublicProduct } from '../../../../src/storefront/menu/public-menu.ts'

/** Random numbers that are the same in every run. */
export function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    chance: (share: number) => next() < share,
    pick: <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0],
    list: <Item>(count: number, make: (index: number) => Item) =>
      Array.from({ length: count }, (_, index) => make(index)),
  }
}
type Random = ReturnType<typeof createRandom>

const codes = ['milk', 'fish', 'gluten'] as const
const additives = ['milk_protein', 'caffeine', 'surimi'] as const

function createContents({ chance, pick, below }: Random) {
  const level = () => pick(['contains', 'may_contain'] as const)
  return {
    ...(chance(0.75) && { allergens: codes.filter(() => chance(0.2)).map((code) => ({ code, level: level() })) }),
    ...(chance(0.5) && { diets: (['vegan', 'gluten_free'] as const).filter(() => chance(0.6)) }),
    ...(chance(0.15) && { additives: additives.slice(below(3)) }),
  }
}

/** A venue with modifiers, also nested ones, sizes and a bundle, some of which are missing or sold out. */
export function createVenue(random: Random) {
  const { chance, list, below, pick } = random
  const createModifier = (id: string, nested: readonly string[]): PublicModifier => {
    const type = pick(['CHECKBOX', 'RADIO'] as const)
    return {
      ...{ id, title: id, instructions: '', type },
      rules: { required: chance(0.5), allowedMultiple: type === 'CHECKBOX', enableOptionQuantity: chance(0.3) },
      ...(chance(0.2) && { min: below(3) }),
      ...(chance(0.2) && { max: below(3) }),
      options: list(below(3) + (chance(0.1) ? 1 : 0), (index) => ({
        ...{ id: `${id}${index}`, label: `${id}${index}` },
        ...createContents(random),
        ...(chance(0.15) && { soldOut: true }),
        ...(chance(0.3) && { max: 1 + below(2) }),
        ...(nested.length > 0 && chance(0.25) && { modifiers: nested.filter(() => chance(0.6)) }),
      })),
    }
  }
  const nested = ['n0', 'n1']
  const modifiers = [
    ...nested.map((id) => createModifier(id, [])),
    ...['a', 'b', 'c'].map((id) => createModifier(id, nested)),
  ]
  // A catalogue that was cut off lacks some.
  const known = modifiers.filter(() => !chance(0.05))
  const createProduct = (
    id: string,
    parts: readonly string[],
    sizeOf: (part: string) => string = () => '',
  ): PublicProduct => {
    const own = ['a', 'b', 'c'].filter(() => chance(0.4))
    const sized = known.find((modifier) => modifier.id === own[0] && modifier.options.length > 0)
    return {
      ...{ id, title: id, price: 1, images: [], soldOut: chance(0.05) },
      ...createContents(random),
      modifiers: own,
      ...(chance(0.05) && { lacksChoices: true }),
      ...(chance(0.3) && { modifierRules: own.slice(0, 1).map((modifier) => ({ modifier, min: below(3) })) }),
      ...(sized &&
        chance(0.3) && {
          sizes: sized.options.slice(0, 2).map((option) => ({
            ...{ modifier: sized.id, option: option.id, label: '', price: 1, soldOut: chance(0.1) },
            ...createContents(random),
          })),
        }),
      ...(parts.length > 0 && {
        bundle: {
          groups: list(1 + below(2), (index) => ({
            ...{ id: `g${index}`, title: '', min: below(3), max: chance(0.1) ? 1 : 2 },
            items: parts
              .filter(() => chance(0.6))
              .map((product) => ({ product, ...(chance(0.3) && { size: sizeOf(product) }) })),
          })),
        },
      }),
    }
  }
  const simple = list(3, (index) => createProduct(`p${index}`, []))
  /** A size of a part, or of another product. */
  const sizeOf = (id: string) => {
    const [size] = simple.find((product) => product.id === (chance(0.8) ? id : 'p0'))?.sizes?.toReversed() ?? []
    return size?.option ?? 'a0'
  }
  // A bundle is no part of another one.
  const set = createProduct('set', ['p0', 'p1', 'p2', 'gone'], sizeOf)
  const products = [...simple, set, createProduct('sets', ['set', 'p1'], sizeOf)]
  const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))
  return { products: byId(products), modifiers: byId(known) }
}
export type Venue = ReturnType<typeof createVenue>
