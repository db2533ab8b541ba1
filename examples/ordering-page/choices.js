/** Creates an element. Texts of venues are texts, never HTML. */
export function create(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'data') Object.assign(element.dataset, JSON.parse(JSON.stringify(value)))
    else if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else if (typeof value === 'boolean') element.toggleAttribute(key, value)
    else if (value !== undefined) element.setAttribute(key, value)
  }
  element.append(...children.filter((child) => child !== undefined && child !== ''))
  return element
}

const levels = { contains: 'Contains', may_contain: 'May contain' }

/** Statement about allergens. A dish without one says so: silence would read as "free of allergens". */
export function describeAllergens({ allergens, choicesMayAddAllergens }) {
  if (allergens === undefined) return 'Allergens: not stated. Please ask.'
  const byLevel = Object.entries(levels).flatMap(([level, words]) => {
    const named = allergens.filter((allergen) => allergen.level === level)
    return named.length === 0
      ? []
      : [`${words} ${named.map(({ code, names }) => names?.join(', ') || code).join(', ')}`]
  })
  const stated = byLevel.length === 0 ? 'None of the 14 allergens' : byLevel.join('. ')
  return choicesMayAddAllergens ? `${stated}. Choices may add some.` : `${stated}.`
}

/** Statement about the allergens of a choice. If others beside it have one, a choice without one says so. */
function noteAllergens({ allergens }, others) {
  if (allergens === undefined) return others.some((other) => other.allergens) ? 'Allergens not stated' : ''
  return allergens.length > 0 ? describeAllergens({ allergens }) : ''
}

let groups = 0

/** Choices of which a guest takes one (`radio`), some (`checkbox`), or some several times (`number`). `inside`: choices that belong to a choice. */
function createGroup(title, hint, kind, choices, money) {
  const name = `group-${groups++}`
  const createChoice = ({
    label,
    cost = 0,
    note,
    soldOut = false,
    preSelected = false,
    max = 9,
    data,
    inside = [],
  }) => {
    const checked = preSelected && !soldOut
    const own = kind === 'number' ? { min: '0', max: String(max), value: String(Number(checked)) } : { name, checked }
    const price = cost === 0 ? '' : ` ${cost > 0 ? '+' : '−'}${money(Math.abs(cost))}`
    const input = create('input', { type: kind, disabled: soldOut, data, ...own })
    const small = create('small', {}, soldOut ? 'Sold out' : note)
    return create('div', { class: 'part' }, create('label', {}, input, ` ${label}${price}`, small), ...inside)
  }
  return create('fieldset', {}, create('legend', {}, title), create('p', {}, hint), ...choices.map(createChoice))
}

/** All products that a menu offers now. */
export const listProducts = (menu) => menu.menus.flatMap(({ sections }) => sections.flatMap(({ products }) => products))

/** The choices of a product: its size, its modifiers, and the parts of a bundle with theirs. `given`: the size that a bundle has chosen. */
export function createChoices(product, menu, money, given) {
  const { sizes = [], modifiers, bundle = { groups: [] } } = product
  const sizeChoices = sizes.map(({ modifier, option, label, price, soldOut, allergens }) => ({
    label: `${label} ${money(price)}`,
    note: noteAllergens({ allergens }, sizes),
    soldOut,
    data: { modifier, option },
  }))
  const toGroup = (id) => {
    const { title, instructions, type, rules, options } = menu.modifiers.find((each) => each.id === id) ?? {}
    if (!options?.length) return []
    const kind = type === 'RADIO' ? 'radio' : rules.enableOptionQuantity ? 'number' : 'checkbox'
    const choices = options.map(({ id: option, additionalCost: cost, ...rest }) => ({
      ...rest,
      cost,
      note: noteAllergens(rest, options),
      data: { modifier: id, option },
    }))
    return [createGroup(title, instructions, kind, choices, money)]
  }
  const all = [...(menu.parts ?? []), ...listProducts(menu)]
  const findPart = ({ product: id }) =>
    all.find((each) => each.id === id) ?? { title: 'Unknown', modifiers: [], soldOut: true }
  const toPart = (group) => (item, _, items) => {
    const part = findPart(item)
    const size = part.sizes?.find(({ option }) => option === item.size)
    return {
      label: [part.title, size?.label].filter(Boolean).join(', '),
      cost: item.surcharge,
      note: [noteAllergens(part, items.map(findPart)), size && noteAllergens(size, part.sizes)]
        .filter(Boolean)
        .join(' '),
      soldOut: part.soldOut,
      data: { group, part: item.product, modifier: size?.modifier, option: size?.option },
      inside: createChoices(part, menu, money, size),
    }
  }
  return [
    ...(sizes.length > 0 && !given ? [createGroup('Size', '', 'radio', sizeChoices, money)] : []),
    ...modifiers.filter((id) => id !== sizes[0]?.modifier).flatMap(toGroup),
    ...bundle.groups.map(({ id, title, min, max, items }) => {
      const hint = min === max ? `Choose ${min}.` : `Choose ${min} to ${max}.`
      return createGroup(title, hint, max === 1 ? 'radio' : 'checkbox', items.map(toPart(id)), money)
    }),
  ]
}

const readOptions = (inputs) =>
  inputs.flatMap(({ type, checked, value, dataset: { modifier, option } }) => {
    const quantity = type === 'number' ? Number(value) : Number(checked)
    return option === undefined || quantity < 1 ? [] : [{ modifier, option, quantity }]
  })

/** A line of the basket as the service expects it. */
export function readLine(product, form, quantity) {
  const inputs = [...form.querySelectorAll('.part > label > input')]
  const parts = inputs.filter(({ dataset }) => dataset.part !== undefined)
  const own = inputs.filter((input) => !parts.some((part) => part.closest('.part').contains(input)))
  const choices = parts
    .filter(({ checked }) => checked)
    .map((input) => {
      const inside = inputs.filter((each) => input.closest('.part').contains(each))
      return { group: input.dataset.group, product: input.dataset.part, options: readOptions(inside) }
    })
  return { product: product.id, quantity, options: readOptions(own), ...(choices.length > 0 && { choices }) }
}
