/** Contents of a catalogue that a venue is set up with. */
export interface Catalogue {
  products: readonly { modifiers?: readonly number[]; [field: string]: unknown }[]
  modifiers: readonly { [field: string]: unknown }[]
  menus: readonly {
    sections: readonly { items: readonly number[]; [field: string]: unknown }[]
    [field: string]: unknown
  }[]
}

type Post = (path: string, json: unknown) => Promise<{ status: number; body: { id: string } }>

async function inOrder<Item>(items: readonly Item[], make: (item: Item) => Promise<string>): Promise<string[]> {
  const made: string[] = []
  for (const item of items) made.push(await make(item))
  return made
}

/**
 * Loads a catalogue without its details, in which products and modifiers are named by their place in the list; returns the ids of the products.
 */
export async function load(post: Post, { products, modifiers, menus }: Catalogue): Promise<string[]> {
  const create = async (path: string, json: unknown) => {
    const { status, body } = await post(path, json)
    if (status !== 201) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`)
    return body.id
  }
  const modifierIds = await inOrder(modifiers, ({ details: _, ...modifier }) =>
    create('/modifiers', { instructions: '', ...modifier }),
  )
  const productIds = await inOrder(products, ({ modifiers = [], details: _, ...product }) =>
    create('/products', { ...product, modifiers: modifiers.map((index) => modifierIds[index]) }),
  )
  await inOrder(menus, ({ sections, details: _, ...menu }) =>
    create('/menus', {
      ...menu,
      sections: sections.map(({ items, ...section }) => ({
        ...section,
        items: items.map((index) => productIds[index]),
      })),
    }),
  )
  return productIds
}

const parts = {
  how: ['Roasted', 'Braised', 'Charred', 'Smoked', 'Pickled', 'Crisp', 'Slow-cooked', 'Grilled', 'Warm', 'Chilled'],
  what: ['beetroot', 'lamb shoulder', 'sea bass', 'cauliflower', 'aubergine', 'short rib', 'leeks', 'octopus', 'tofu'],
  with: ['brown butter and hazelnuts', 'preserved lemon', 'a green herb sauce', 'miso and sesame', 'saffron yoghurt'],
  and: ['sourdough from our own oven', 'a salad of bitter leaves', 'potatoes in their skins', 'rice and peas'],
  note: [
    'A house favourite since 1998.',
    'Good to share.',
    'Made to order, so give us ten minutes.',
    'Ask about the wine that goes with it.',
  ],
}
const pick = (list: readonly string[], index: number) => list[index % list.length] ?? ''

/** A realistic menu of so many dishes: each with a description, calories and its own choices, every third with a picture. */
export function createCatalogue(count: number) {
  const modifiers = Array.from({ length: 6 }, (_, index) => ({
    title: pick(['Side', 'Sauce', 'Size', 'Cooking', 'Extras', 'Leave out'], index),
    instructions: 'Choose as you like.',
    options: Array.from({ length: 5 }, (_, option) => ({
      label: `${pick(parts.how, index + option)} ${pick(parts.what, index * 3 + option)}`,
      additionalCost: (option * 5) / 10,
    })),
  }))
  const products = Array.from({ length: count }, (_, index) => ({
    title: `${pick(parts.how, index)} ${pick(parts.what, index)} no. ${index + 1}`,
    price: 4 + ((index * 37) % 200) / 10,
    description: `With ${pick(parts.with, index)}, ${pick(parts.and, Math.floor(index / 3))}. ${pick(parts.note, Math.floor(index / 2))}`,
    calories: 120 + ((index * 73) % 700),
    modifiers: [index % 6, (index + 2) % 6],
    images:
      index % 3 === 0 ? [{ url: `https://images.example.com/venue-${(index * 7919) % 10007}/dish-${index}.jpg` }] : [],
  }))
  const sections = Array.from({ length: 6 }, (_, section) => ({
    title: `${pick(['Starters', 'Small plates', 'Mains', 'Sides', 'Puddings', 'Drinks'], section)}`,
    description: 'Cooked over fire, served when it is ready.',
    items: products.map((_, index) => index).filter((index) => index % 6 === section),
  }))
  return { products, modifiers, menus: [{ title: 'All day', sections }] }
}
