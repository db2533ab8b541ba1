import demo from '../../../tools/cli/demo/demo-venue.json' with { type: 'json' }
import { resolvePictures } from '../../../tools/cli/loader/pictures.ts'
import { load } from '../../support/catalogue.ts'
import type { Service } from '../../support/service.ts'

type Dish = readonly [title: string, description: string, price: number, allergens?: readonly string[]]

/** A small venue: sections of dishes, each with a title, a description and a price. */
interface SmallVenue {
  merchant: { name: string; currency: string; timezone: string }
  menu: { title: string; begin?: string; end?: string }
  sections: readonly (readonly [title: string, dishes: readonly Dish[]])[]
  modifier: { [field: string]: unknown }
  /** Metadata key of its tables. */
  table: string
}

const german: SmallVenue = {
  merchant: { name: 'Gasthaus Zum Löwen', currency: 'EUR', timezone: 'Europe/Berlin' },
  menu: { title: 'Speisekarte', begin: '1130', end: '2200' },
  table: 'tisch',
  sections: [
    [
      'Vorspeisen',
      [
        [
          'Flädlesuppe',
          'Kräftige Rinderbrühe mit Pfannkuchenstreifen und Schnittlauch.',
          6.4,
          ['gluten', 'eggs', 'celery'],
        ],
        ['Feldsalat', 'Mit Speck, Kracherle und Kartoffeldressing.', 8.9, ['gluten', 'mustard', 'sulphites']],
      ],
    ],
    [
      'Hauptgerichte',
      [
        ['Käsespätzle', 'Mit Bergkäse, Röstzwiebeln und kleinem Salat.', 14.5, ['gluten', 'eggs', 'milk']],
        ['Zwiebelrostbraten', 'Vom Weiderind, mit Bratkartoffeln und Soße.', 26.8, ['celery', 'sulphites']],
        ['Maultaschen', 'In der Brühe oder geschmälzt.', 13.9, ['gluten', 'eggs', 'celery']],
      ],
    ],
    ['Nachspeisen', [['Apfelküchle', 'Mit Vanilleeis und Zimtzucker.', 7.8, ['gluten', 'eggs', 'milk']]]],
  ],
  modifier: {
    title: 'Beilage',
    instructions: '',
    type: 'RADIO',
    options: [
      { label: 'Bratkartoffeln', additionalCost: 0, preSelected: true },
      { label: 'Spätzle', additionalCost: 1.5 },
    ],
  },
}

const arabic: SmallVenue = {
  merchant: { name: 'مقهى الياسمين', currency: 'AED', timezone: 'Asia/Dubai' },
  menu: { title: 'القائمة' },
  table: 'طاولة',
  sections: [
    [
      'المقبلات',
      [
        ['حمص بالطحينة', 'حمص مطحون مع الطحينة وزيت الزيتون والليمون.', 22],
        ['تبولة', 'بقدونس وبرغل وطماطم ونعناع.', 24],
      ],
    ],
    [
      'الأطباق الرئيسية',
      [
        ['منسف', 'لحم ضأن مع الأرز واللبن الجميد.', 68],
        ['Burger كلاسيكي', 'لحم بقري مشوي مع جبنة Cheddar وبطاطس.', 52],
        ['سمك مشوي', 'سمك اليوم مع الخضار والأرز بالليمون.', 74],
      ],
    ],
    ['المشروبات', [['شاي بالنعناع', 'شاي أسود مع نعناع طازج.', 14]]],
  ],
  modifier: {
    title: 'السكر',
    instructions: '',
    type: 'RADIO',
    options: [
      { label: 'بدون سكر', additionalCost: 0, preSelected: true },
      { label: 'مع العسل', additionalCost: 3 },
    ],
  },
}

const japanese: SmallVenue = {
  merchant: { name: '喫茶あさひ', currency: 'JPY', timezone: 'Asia/Tokyo' },
  menu: { title: 'お品書き' },
  table: 'テーブル',
  sections: [
    [
      'お食事',
      [
        ['ナポリタン', 'ケチャップで炒めた昔ながらのスパゲッティです。', 880],
        ['たまごサンド', 'ふわふわの厚焼きたまごを食パンで挟みました。', 720],
        ['ビーフカレー', '二日間煮込んだ自家製カレー。サラダ付き。', 1_050],
      ],
    ],
    [
      'お飲み物',
      [
        ['ブレンドコーヒー', '深煎りの豆を一杯ずつハンドドリップで。', 480],
        ['クリームソーダ', 'メロンソーダにバニラアイスをのせて。', 650],
      ],
    ],
    ['甘味', [['プリン', '固めに焼き上げたカスタードプリン。', 520]]],
  ],
  modifier: {
    title: 'サイズ',
    instructions: '',
    type: 'RADIO',
    options: [
      { label: '並', additionalCost: 0, preSelected: true },
      { label: '大盛り', additionalCost: 150 },
    ],
  },
}

/** Creates the venues that the pictures show. `publicOrigin` is the origin of their pages. */
export async function createVenues({ call, adminToken, origin }: Service, publicOrigin: string) {
  async function createMerchant(merchant: object) {
    const { body } = await call('POST', '/admin/merchants', adminToken, merchant)
    const { body: key } = await call('POST', `/admin/merchants/${body.id}/keys`, adminToken, { mode: 'live' })
    return {
      page: `${publicOrigin}/m/${body.id}`,
      post: (path: string, json: unknown) => call('POST', `/merchants/${body.id}${path}`, key.key, json),
      get: async (path: string) => {
        const headers = { authorization: `Bearer ${key.key}` }
        return new Uint8Array(await (await fetch(`${origin}/merchants/${body.id}${path}`, { headers })).arrayBuffer())
      },
    }
  }
  type Account = Awaited<ReturnType<typeof createMerchant>>

  /** Creates tags of tables from 1 on. Returns their ids. */
  async function createTables({ post }: Account, key: string, count: number): Promise<string[]> {
    const operations = Array.from({ length: count }, (_, index) => ({
      ...{ op: 'create', resource: 'tags' },
      body: { metadata: [{ key, value: `${index + 1}` }] },
    }))
    const { body } = await post('/batch', { operations })
    return body.results.map(({ id }: { id: string }) => id)
  }

  async function createSmall({ merchant, menu, sections, modifier, table }: SmallVenue) {
    const account = await createMerchant(merchant)
    const dishes = sections.flatMap(([, own]) => own)
    const products = await load(account.post, {
      modifiers: [modifier],
      products: dishes.map(([title, description, price], index) => ({
        ...{ title, description, price },
        modifiers: index === 3 ? [0] : [],
      })),
      menus: [
        {
          ...menu,
          sections: sections.map(([title, own]) => ({ title, items: own.map((dish) => dishes.indexOf(dish)) })),
        },
      ],
    })
    for (const [index, [, , , allergens]] of dishes.entries()) {
      const stated = allergens?.map((code) => ({ code, level: 'contains' }))
      if (stated) await account.post(`/products/${products[index]}/details`, { allergens: stated })
    }
    return { ...account, tables: await createTables(account, table, 24) }
  }

  async function createOtter() {
    const account = await createMerchant(demo.merchant)
    const products = await load(account.post, resolvePictures(demo, publicOrigin))
    const soldOut = demo.products.findIndex(({ title }) => title === 'Avocado toast')
    await account.post(`/products/${products[soldOut]}/availability`, { soldOut: true, until: 'further_notice' })
    return { ...account, tables: await createTables(account, 'table', 24) }
  }

  /** A venue with 1,000 products in 20 sections. */
  async function createHuge() {
    const account = await createMerchant({ name: 'The Thousand Plates', currency: 'USD', timezone: 'America/New_York' })
    const kinds = ['Soups', 'Salads', 'Noodles', 'Rice', 'Curries', 'Grill', 'Fish', 'Pasta', 'Pizza', 'Tacos']
    const sections = [...kinds, ...kinds.map((kind) => `More ${kind.toLowerCase()}`)]
    const items = sections.map((title) =>
      Array.from({ length: 50 }, (_, index) => ({
        ref: `#${title.replace(' ', '-')}-${index + 1}`,
        title: `${title}, No. ${index + 1}`,
      })),
    )
    const creates = items.flat().map(({ ref, title }, index) => ({
      ...{ op: 'create', resource: 'products', externalId: ref.slice(1) },
      body: { title, price: 8 + (index % 17) / 2, description: 'Made to order, with what the market has today.' },
    }))
    for (let first = 0; first < creates.length; first += 500) {
      await account.post('/batch', { operations: creates.slice(first, first + 500) })
    }
    await account.post('/batch', {
      operations: [
        {
          ...{ op: 'create', resource: 'menus' },
          body: {
            title: 'Everything',
            showSectionNavigation: true,
            sections: sections.map((title, index) => ({
              title,
              items: items[index]?.map(({ ref }) => ({ externalId: ref.slice(1) })),
            })),
          },
        },
      ],
    })
    return account
  }

  const otter = await createOtter()
  return {
    otter,
    german: await createSmall(german),
    arabic: await createSmall(arabic),
    japanese: await createSmall(japanese),
    huge: await createHuge(),
  }
}
export type Venues = Awaited<ReturnType<typeof createVenues>>
