import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { check, jsonl, toJsonLines } from '../../support/imports.ts'
import { toRounds } from '../../support/rounds.ts'

/** Numbers that look random and are the same in every run of a seed. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (((state >>> 8) ^ (state >>> 20)) % below) >>> 0
  }
}
type Random = ReturnType<typeof createRandom>

interface Customer {
  id: string
  firstName: string
  lastName: string
  email?: string
  phone?: string
}
/** An order or row, and whose it is: by something that identifies the customer alone, or by nothing that does. */
interface Item {
  text: string
  owner: string
  isIdentified: boolean
}

const syllables = ['Ka', 'Ri', 'Mo', 'Lé', 'Su', 'Tö', 'Na', 'Be']
const createName = (random: Random, first: string) =>
  first +
  Array.from({ length: 2 }, () => syllables[random(8)])
    .join('')
    .toLowerCase()

/** Customers of whom some share a phone, some an email, and many a name. */
function createCustomers(random: Random, count: number): Omit<Customer, 'id'>[] {
  const seen = new Set<string>()
  const customers: Omit<Customer, 'id'>[] = []
  while (customers.length < count) {
    const n = random(20) === 0 ? random(customers.length + 1) : customers.length
    const m = random(20) === 0 ? random(customers.length + 1) : customers.length
    const [firstName, lastName] = [createName(random, 'A'), random(50) === 0 ? 'Cash' : createName(random, 'O')]
    if (seen.has(firstName + lastName)) continue
    seen.add(firstName + lastName)
    const phone = random(100) === 0 ? '0' : `+44 (20) ${String(7_000_000 + n).replace(/(...)(....)/, '$1 $2')}`
    customers.push({
      firstName,
      lastName,
      ...(random(10) > 0 && { email: `guest.${m}@example.com` }),
      ...(random(10) > 0 && { phone }),
    })
  }
  return customers
}

const strangers = [
  { tip: '0', payment: 'Cash', price: '0', by: 'Akari', table: 'Ori', total: 4.5 },
  { email: 'nobody@example.com', name: 'Akaka Okaka', note: 'call +44 99 1234 5678' },
]

const pick = <Value>(random: Random, list: readonly Value[]) => list[random(list.length)]

function createItems(random: Random, customers: readonly Customer[], count: number): Item[] {
  const countOf = (key: 'email' | 'phone') => {
    const counts = new Map<string, number>()
    for (const { [key]: value } of customers) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
    return (value: string | undefined) => (value === undefined || value.length < 6 ? 0 : (counts.get(value) ?? 0))
  }
  const [emails, phones] = [countOf('email'), countOf('phone')]
  return Array.from({ length: count }, (): Item => {
    const owner = pick(random, customers)
    if (!owner || random(10) === 0) {
      return { text: JSON.stringify(pick(random, strangers)), owner: '', isIdentified: false }
    }
    const { id, firstName, lastName, email, phone } = owner
    const name = pick(random, [`${firstName} ${lastName}`, `${lastName}, ${firstName}`, `${lastName}${firstName}`])
    const other = pick(random, customers)
    const by = other?.firstName
    const hasBoth = emails(email) > 0 || phones(phone) > 0
    const isAlone = emails(email) === 1 || phones(phone) === 1
    const shapes: [object, boolean][] = [
      [{ customer: id, name, by, total: 4.5 }, true],
      [{ customer: { id, email, phone }, note: `for ${name}, ${phone}`, by }, true],
      [{ customer: { firstName, lastName, email, phone }, note: `for ${name}`, total: 4 }, hasBoth],
      [{ name, email: email?.toUpperCase(), tel: phone?.replaceAll(' ', '') }, hasBoth],
      [
        { guest: { email, phone }, lines: [{ title: 'Tea', for: firstName }] },
        isAlone && emails(email) < 2 && phones(phone) < 2,
      ],
    ]
    const [data, isIdentified] = shapes[random(shapes.length)] ?? [{}, false]
    return { text: JSON.stringify(data), owner: id, isIdentified }
  })
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
/** The values of a customer in the strings of a JSON text. */
function findTraces(text: string, { id, firstName, lastName, email, phone }: Customer): string[] {
  const strings: string[] = []
  JSON.parse(text || '""', (_, value) => {
    if (typeof value === 'string') strings.push(plain(value))
    return value
  })
  const digits = phone?.replace(/\D/g, '') ?? ''
  return strings.filter(
    (value) =>
      value.includes(id) ||
      (email !== undefined && value.includes(email)) ||
      [firstName, lastName].some((name) => new RegExp(`(?<![a-z])${plain(name)}(?![a-z])`).test(value)) ||
      (digits.length >= 6 && value.replace(/\D/g, '').includes(digits)),
  )
}

async function createAll(venue: Venue, fields: readonly object[]): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < fields.length; start += 500) {
    const operations = fields.slice(start, start + 500).map((body) => ({ op: 'create', resource: 'customers', body }))
    const { body } = await venue.post('/batch', { operations })
    ids.push(...body.results.map(({ id }: { id: string }) => id))
  }
  return ids
}

async function insertOrders(venue: Venue, items: readonly Item[]) {
  const list = JSON.stringify(items.map(({ text }) => text))
  await queryHome(
    venue.id,
    `insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
    select ?1, 0, 'evt_order' || key, 100000 + key, 'order.created', 1, 0, value from json_each(?2)`,
    venue.id,
    list,
  )
}
const readOrders = async (venue: Venue) =>
  (
    await queryHome(
      venue.id,
      `select row from events where merchant_id = ? and type = 'order.created' order by seq`,
      venue.id,
    )
  ).map(({ row }) => String(row))
const readRows = async (venue: Venue) =>
  (
    await queryHome(venue.id, 'select rows from import_chunks where merchant_id = ? order by position', venue.id)
  ).flatMap(({ rows }): { raw: string }[] => JSON.parse(String(rows)))

describe('of a thousand customers who share values', () => {
  const seed = Date.now() % 100_000
  test(`each leaves what is its own, and nothing of others changes (seed ${seed})`, { timeout: 120_000 }, async () => {
    const random = createRandom(seed)
    const venue = await createVenue()
    const fields = createCustomers(random, 1_000)
    const ids = await createAll(venue, fields)
    const customers = fields.map((each, index) => ({ ...each, id: ids[index] ?? '' }))
    expect(new Set(ids).size).toBe(1_000)
    const orders = createItems(random, customers, 2_000)
    const rows = createItems(random, customers, 600)
    await insertOrders(venue, orders)
    await check(venue, '', toJsonLines(rows.map(({ text }) => JSON.parse(text))), jsonl)

    let [before, rowsBefore] = [await readOrders(venue), (await readRows(venue)).map(({ raw }) => raw)]
    expect([before.length, rowsBefore.length]).toEqual([2_000, 600])
    const rounds = toRounds(160)
    const erased = new Set<string>()
    let checked = 0
    for (let round = 0; round < rounds; round++) {
      const customer = customers.splice(random(customers.length), 1)[0]
      if (!customer) throw new Error('no customer is left')
      expect((await venue.post(`/customers/${customer.id}/erase`, undefined)).status).toBe(200)
      const [after, rowsAfter] = [await readOrders(venue), (await readRows(venue)).map(({ raw }) => raw)]
      for (const [items, old, now] of [
        [orders, before, after],
        [rows, rowsBefore, rowsAfter],
      ] as const) {
        for (const [index, { owner, isIdentified }] of items.entries()) {
          const left = now[index] ?? ''
          // An item that names an erased customer by a shared value alone belongs to the last one who has the value.
          if (erased.has(owner) && !isIdentified) continue
          if (owner !== customer.id) expect(left).toBe(old[index])
          else if (isIdentified) {
            expect(findTraces(old[index] ?? '', customer)).not.toEqual([])
            expect(findTraces(left, customer), old[index]).toEqual([])
            checked++
          }
        }
      }
      erased.add(customer.id)
      before = after
      rowsBefore = rowsAfter
    }
    expect(checked).toBeGreaterThan(rounds)
  })
})
