import { expect, test } from 'vitest'
import { requireLinear } from '../../support/count-steps.ts'

const { readAnyFile } = await import('../../../src/bulk/import/auto/read-upload.ts')
const { mapFile } = await import('../../../src/bulk/import/auto/map-file.ts')

const utf8 = new TextEncoder()
const { zipSync, strToU8 } = await import('fflate')

const none = { findModifiers: async () => [], findMenuTitle: async () => 'Menu' }
const venue = { currency: 'EUR', language: 'en', timeZone: 'UTC', canWriteMenus: true, ...none }
const products = 'products' as const

/** Reads a file as an upload with `mapping=auto` does, without storing it. */
async function read(text: string | Uint8Array) {
  const file = await readAnyFile(typeof text === 'string' ? utf8.encode(text) : text, 'EUR')
  return mapFile(file, products, {}, venue)
}

const square = (count: number) => [
  { type: 'CATEGORY', id: 'c', category_data: { name: 'Food' } },
  ...Array.from({ length: count }, (_, index) => ({
    type: 'ITEM',
    id: `i${index}`,
    item_data: {
      name: 'Tea',
      category_id: 'c',
      variations: [{ item_variation_data: { name: `S${index}`, price_money: { amount: 1 } } }],
    },
  })),
]
const catalogue = (count: number) => ({
  products: Array.from({ length: count }, () => ({ title: 'Tea', price: 1, sku: '', modifiers: [0] })),
  modifiers: [{ title: 'Milk', options: [{ label: 'Oat' }] }],
})
const uber = (count: number) => ({
  menus: [{}],
  categories: [
    { title: { translations: { en: 'Food' } }, entities: Array.from({ length: count }, (_, id) => ({ id: `i${id}` })) },
  ],
  items: Array.from({ length: count }, (_, id) => ({
    id: `i${id}`,
    title: { translations: { en: 'Tea' } },
    price_info: { price: 100 },
  })),
})
const schemaOrg = (count: number) => ({
  '@type': 'Menu',
  hasMenuSection: Array.from({ length: count }, () => ({
    hasMenuItem: [{ name: 'Tea', offers: [{ price: '1.50' }] }],
  })),
})

const nested = (count: number) => ({
  menus: Array.from({ length: count }, () => ({
    name: 'Food',
    items: [{ name: 'Tea', price: 1.5, sizes: [{ name: 'S', price: 1 }] }],
  })),
})

const dishes = (count: number) => Array.from({ length: count }, () => ({ name: 'Tea', price: 1.5 }))
const localized = (count: number) =>
  Array.from({ length: count }, () => ({ name: { en: 'Hot' }, items: [{ name: { en: 'Tea' }, price: 1.5 }] }))

test.each<[string, (count: number) => string]>([
  ['rows', (count) => `Bezeichnung;Preis;Kategorie\n${'Tee;2,50 €;Heiß\n'.repeat(count)}`],
  ['coupons', (count) => `Coupon code,Discount,Valid until\n${'A,5%,31/12/2027\n'.repeat(count)}`],
  ['ambiguous numbers', (count) => `title;price\n${'Tea;1.250\n'.repeat(count)}`],
  [
    'sizes of one product',
    (count) => `title,price,size\n${Array.from({ length: count }, (_, n) => `Tea,1,S${n}\n`).join('')}`,
  ],
  [
    'different sizes',
    (count) =>
      `title,price,size\n${Array.from({ length: count }, (_, n) => `Tea ${n},1,S${n}\nTea ${n},2,L${n}\n`).join('')}`,
  ],
  [
    'categories',
    (count) => `title,price,category\n${Array.from({ length: count }, (_, n) => `Tea,1,C${n}\n`).join('')}`,
  ],
  ['titles of sections', (count) => `title;price\n${'Hot;\nTea;2\n'.repeat(count)}`],
  ['rows that are wider than the headings', (count) => `Name;Preis\n${'Tee;2;x\n'.repeat(count)}`],
  [
    'variants of Magento',
    (count) =>
      `sku,attribute_set_code,product_type,name,price,configurable_variations\nT,D,configurable,Tea,1,"${Array.from({ length: count }, (_, n) => `sku=T${n},size=${n}`).join('|')}"\n${Array.from({ length: count }, (_, n) => `T${n},D,simple,Tea ${n},1,\n`).join('')}`,
  ],
  [
    'options of Ecwid',
    (count) =>
      `type,product_internal_id,product_name,product_price,product_option_name,product_option_type,product_option_value\nproduct,1,Tea,1,,,\n${Array.from({ length: count }, (_, n) => `product_option,1,,,Size,SIZE,${n}\n`).join('')}`,
  ],
  ['rows without headings', (count) => 'Tea;2,50\n'.repeat(count)],
  ['lines with a price at their end', (count) => 'Tea ... 2,50\n'.repeat(count)],
  ['dots before a price', (count) => `Tea ${'.'.repeat(count)} 2,50\nMilk 1,50\n`],
  ['rows above the headings', (count) => `${'x'.repeat(count)}\nArtikel;Preis\nTee;1\n`],
  [
    'sizes below their product',
    (count) => `title;price;size\nTea;;\n${Array.from({ length: count }, (_, n) => `;1;S${n}\n`).join('')}`,
  ],
  ['cells without a delimiter', (count) => `title\n${'x'.repeat(count)}\n`],
  ['opening brackets of HTML', (count) => `title,price,description\nTea,1,"${'<p '.repeat(count)}>"\n`],
  ['comments without an end', (count) => `title,price,description\nTea,1,"${'<!-- '.repeat(count)}>"\n`],
  ['hidden parts without an end', (count) => `title,price,description\nTea,1,"${'<style>'.repeat(count)}"\n`],
  ['entities', (count) => `title,price,description\nTea,1,"${'&amp;'.repeat(count)}"\n`],
  ['pictures', (count) => `title,price,images\nTea,1,"${'https://a.example/1,'.repeat(count)}"\n`],
  ['prices with their sizes', (count) => `title,price\nTea,"${'S 1.50 / '.repeat(count)}"\n`],
  ['rows with prices of sizes', (count) => `title;price\n${'Tea;1.50 (S) 2.50 (L)\n'.repeat(count)}`],
  ['columns of sizes and languages', (count) => `name_en;name_de;small;large\n${'Tea;Tee;1;2\n'.repeat(count)}`],
  ['sections by the names of lists', (count) => JSON.stringify({ a: dishes(count), b: dishes(count) })],
  ['texts in several languages', (count) => JSON.stringify({ categories: localized(count) })],
  ['letters of a heading', (count) => `title,price ${'x '.repeat(count)}cents\nTea,1\n`],
  ['digits', (count) => `title,price\nTea,${'1'.repeat(count)}\n`],
  ['groups of digits', (count) => `title,price\nTea,"${'1,'.repeat(count)}"\n`],
  ['customers', (count) => `Vorname,Nachname,Telefon\n${'A,B,030/123\n'.repeat(count)}`],
  ['objects of a list', (count) => JSON.stringify(Array.from({ length: count }, () => ({ title: 'Tea', price: 1 })))],
  ['a catalogue file', (count) => JSON.stringify(catalogue(count))],
  ['a Square catalogue', (count) => JSON.stringify(square(count))],
  ['an Uber menu', (count) => JSON.stringify(uber(count))],
  ['a menu of schema.org', (count) => JSON.stringify(schemaOrg(count))],
  ['sections with items', (count) => JSON.stringify(nested(count))],
  ['units of weight', (count) => `Artikel;Preis;Einheit\n${'Käse;19,80;kg\n'.repeat(count)}`],
])('the steps of reading a file grow with its %s', async (_, create) => {
  await requireLinear(create, read, 1_000)
})

test('the steps of decoding grow with the bytes of a code page', async () => {
  const create = (count: number) => {
    const head = utf8.encode('title,price\nT')
    const bytes = new Uint8Array(head.length + count).fill(0xe4)
    bytes.set(head)
    return bytes
  }
  expect(await requireLinear(create, read, 20_000)).toBeGreaterThan(80_000)
})

test('the steps of decoding grow with the bytes of an encoding with several bytes for a character', async () => {
  // "品名,価格".
  const head = Uint8Array.of(0x95, 0x69, 0x96, 0xbc, 0x2c, 0x89, 0xbf, 0x8a, 0x69, 0x0a)
  const create = (count: number) => {
    const line = Uint8Array.of(0x92, 0x83, 0x2c, 0x31, 0x0a)
    const bytes = new Uint8Array(head.length + count * line.length)
    bytes.set(head)
    for (let index = 0; index < count; index++) bytes.set(line, head.length + index * line.length)
    return bytes
  }
  expect((await readAnyFile(create(2), 'JPY')).suggested).toBe('shift_jis')
  expect(await requireLinear(create, read, 1_000)).toBeGreaterThan(10_000)
})

test('the steps of reading a spreadsheet grow with its cells', async () => {
  const create = (count: number) => {
    const rows = `<row><c t="inlineStr"><is><t>Tea</t></is></c><c><v>1.5</v></c></row>`.repeat(count)
    const header = '<row><c t="inlineStr"><is><t>title</t></is></c><c t="inlineStr"><is><t>price</t></is></c></row>'
    return zipSync({
      'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="A" r:id="a"/></sheets></workbook>'),
      'xl/_rels/workbook.xml.rels': strToU8('<Relationships><Relationship Id="a" Target="s.xml"/></Relationships>'),
      'xl/s.xml': strToU8(`<worksheet><sheetData>${header}${rows}</sheetData></worksheet>`),
    })
  }
  expect(await requireLinear(create, read, 1_000)).toBeGreaterThan(10_000)
})
