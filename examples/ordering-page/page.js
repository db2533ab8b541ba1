import { create, createChoices, describeAllergens, listProducts, readLine } from './choices.js'

const find = (id) => document.getElementById(id)
const tag = new URLSearchParams(location.search).get('tag') ?? undefined
const stored = `basket ${tag ?? ''}`

/** The basket survives a reload. `id` is that of the order: it stays while the same basket is sent again, so that the order is taken once. */
let basket = { items: [], coupons: [], id: '', ...JSON.parse(localStorage.getItem(stored) ?? '{}') }
let menu
let quote
let money = String

async function post(path, body) {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify({ ...body, tag }) })
  return { status: response.status, body: await response.json() }
}
const notify = (text) => find('notice').replaceChildren(text)

async function change(next) {
  basket = { ...basket, ...next, id: crypto.randomUUID() }
  localStorage.setItem(stored, JSON.stringify(basket))
  await showBasket()
}

const setQuantity = (index, quantity) =>
  change({
    items: basket.items
      .map((line, at) => (at === index ? { ...line, quantity } : line))
      .filter((line) => line.quantity > 0),
  })

const createButton = (label, text, onclick) => create('button', { type: 'button', 'aria-label': label, onclick }, text)
const createItem = (text) => create('li', {}, text)

function createLine({ title = 'No longer sold', quantity, options, choices = [], total }, index) {
  const chosen = [...options, ...choices.flatMap((choice) => [{ label: choice.title, quantity: 1 }, ...choice.options])]
  const words = chosen.map(({ label = '', quantity: times }) => (times > 1 ? `${times} × ${label}` : label)).join(', ')
  const issues = quote.issues.filter(({ pointer }) => `${pointer}/`.startsWith(`/items/${index}/`))
  return create(
    'li',
    {},
    create('div', {}, `${title} ${money(total)}`, create('small', {}, words)),
    createButton(`One ${title} less`, '−', () => setQuantity(index, quantity - 1)),
    create('b', {}, String(quantity)),
    createButton(`One ${title} more`, '+', () => setQuantity(index, quantity + 1)),
    ...issues.map(({ message }) => create('em', {}, message)),
  )
}

/** Shows the basket as the service prices it. Only the latest answer counts. */
async function showBasket(given) {
  const { items, coupons } = basket
  find('basket').hidden = find('bar').hidden = items.length === 0
  if (items.length === 0) return
  const asked = basket
  const answer = given ?? (await post('/quote', { items, coupons }))
  if (asked !== basket) return
  if (answer.status !== 200 && answer.status !== 409) return notify(answer.body.detail)
  quote = answer.body
  find('lines').replaceChildren(...quote.items.map(createLine))
  const { charges = [], deposits = [], ageLimit } = quote
  const explain = ({ status, amount, reasons }) =>
    status === 'applied' ? `−${money(amount)}` : reasons.map(({ message }) => message).join(' ')
  find('extras').replaceChildren(
    ...quote.coupons.map((coupon) => createItem(`${coupon.code}: ${explain(coupon)}`)),
    ...[...charges, ...deposits].map(({ title = 'Deposit', amount }) => createItem(`${title}: ${money(amount)}`)),
    ageLimit === undefined ? '' : createItem(`From ${ageLimit} years. Please have an identity card ready.`),
  )
  const general = quote.issues.filter(({ pointer }) => !pointer.startsWith('/items/'))
  find('issues').replaceChildren(general.map(({ message }) => message).join(' '))
  find('order').disabled = !quote.orderable
  find('order').replaceChildren(`Order · ${money(quote.total)}`)
  find('bar').replaceChildren(`Your order · ${money(quote.total)}`)
}

async function sendOrder() {
  find('order').disabled = true
  const { items, coupons, id } = basket
  // Without an answer the order may have been taken: the same order is sent again, under the same id.
  const answer = await post('/order', { items, coupons, id, total: quote.total }).catch(() => undefined)
  if (answer?.status === 200) {
    await change({ items: [], coupons: [] })
    return notify(`Thank you. Your order ${answer.body.id.slice(0, 4).toUpperCase()} is in the kitchen.`)
  }
  const { detail = 'Something has changed. Please look at your order again.' } = answer?.body ?? {}
  notify(answer ? detail : 'No connection. Press Order again.')
  await showBasket(answer?.body.items ? answer : undefined)
}

/** Lets the guest choose. The service prices each choice and says what is missing. */
function choose(product) {
  const add = create('button', {}, 'Add')
  const hint = create('p', { role: 'status' })
  const count = create('input', { type: 'number', min: '1', max: '99', value: '1' })
  const form = create(
    'form',
    { method: 'dialog' },
    create('h2', { id: 'dialog-title' }, product.title),
    create('p', {}, product.description ?? ''),
    create('small', {}, describeAllergens(product)),
    ...createChoices(product, menu, money),
    create('label', {}, 'Quantity ', count),
    hint,
    add,
    createButton('Back', 'Back', () => find('dialog').close()),
  )
  const read = () => readLine(product, form, Math.max(1, Number(count.value)))
  let last = 0
  async function price() {
    const mine = ++last
    const { status, body } = await post('/quote', { items: [read()] })
    if (mine !== last) return
    const title = (id) => menu.modifiers.find((modifier) => modifier.id === id)?.title
    const issues =
      status === 200
        ? body.issues.map(({ message, modifier }) => [title(modifier), message].filter(Boolean).join(': '))
        : [body.detail]
    add.disabled = issues.length > 0
    add.replaceChildren(status === 200 ? `Add · ${money(body.total)}` : 'Add')
    hint.replaceChildren(issues.join(' '))
  }
  form.addEventListener('change', price)
  form.addEventListener('submit', () => change({ items: [...basket.items, read()] }))
  find('dialog').replaceChildren(form)
  find('dialog').showModal()
  void price()
}

function createDish(product) {
  const { title, description = '', price, sizes, soldOut, soldBy } = product
  const texts = [create('h3', {}, title), create('p', {}, description), create('small', {}, describeAllergens(product))]
  const amount = `${sizes ? 'from ' : ''}${money(price)}`
  const button = createButton(`${title}: ${amount}`, amount, () => choose(product))
  // Products by weight are weighed at the counter.
  const choice = soldOut ? 'Sold out' : soldBy ? 'At the counter' : button
  return create('li', {}, create('div', {}, ...texts), choice)
}

async function showMenu() {
  const response = await fetch(`/menu${location.search}`)
  menu = await response.json()
  if (!response.ok) return notify(menu.detail ?? 'There is no menu at this address.')
  const { venue, language, menus } = menu
  const format = new Intl.NumberFormat(
    language ?? venue.locale,
    venue.currency ? { style: 'currency', currency: venue.currency } : {},
  )
  money = (amount) => format.format(amount)
  document.documentElement.lang = language ?? 'en'
  document.documentElement.dir = venue.direction
  document.title = venue.name
  find('venue').replaceChildren(venue.name)
  find('table').replaceChildren(menu.tag?.label ?? '')
  find('mode').hidden = !menu.testMode
  if (listProducts(menu).length === 0) notify('Nothing is served at the moment.')
  const sections = menus.flatMap((each) => each.sections)
  find('menu').replaceChildren(
    ...sections.map(({ title, products }) =>
      create('section', {}, create('h2', {}, title), create('ul', {}, ...products.map(createDish))),
    ),
  )
}

find('order').addEventListener('click', sendOrder)
find('coupon').addEventListener('submit', (event) => {
  event.preventDefault()
  const code = new FormData(event.target).get('code').trim()
  event.target.reset()
  void change({ coupons: code === '' ? [] : [code] })
})
// Another guest may take the last one while this one reads.
setInterval(
  () => document.visibilityState === 'visible' && !find('dialog').open && showMenu().then(() => showBasket()),
  30_000,
)
await showMenu()
await showBasket()
