import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '../../src/platform/auth/api-keys.ts'
import { classify, type PageExample, pageExamples, printed } from '../support/page-examples.ts'
import { createGreyPng } from '../support/png.ts'
import { runCommand } from './command.ts'
import { type ConnectedService, connectService, findInstalledCommandLine } from './shared-service.ts'

let service: ConnectedService
let commandLine: string
let work: string

beforeAll(async () => {
  service = await connectService()
  commandLine = await findInstalledCommandLine()
  work = await mkdtemp(join(tmpdir(), 'page-examples-'))
})
afterAll(() => rm(work, { recursive: true, force: true }))

const examples = pageExamples.filter((example) => classify(example).kind === 'run')
const pagesWith = (language: string) => [
  ...Map.groupBy(
    examples.filter((example) => example.language === language),
    ({ page }) => page,
  ),
]

/** A venue with an object of each kind that examples name, and two keys that may do everything. */
async function createVenue(hasCoupon = false) {
  const { id: merchant } = await service.createAccount()
  const createKey = async (mode: 'live' | 'test') => {
    const rights = { mode, scopes }
    const { body } = await service.call('POST', `/admin/merchants/${merchant}/keys`, service.adminToken, rights)
    return body.key
  }
  const [live, testKey] = [await createKey('live'), await createKey('test')]
  async function create(path: string, json: object, key = live) {
    const { status, body } = await service.call('POST', `/merchants/${merchant}/${path}`, key, json)
    expect([path, status, body]).toEqual([path, 201, expect.any(Object)])
    return body
  }
  const options = [{ label: 'oat', additionalCost: 0.5 }]
  const modifier = await create('modifiers', { title: 'Milk', type: 'RADIO', instructions: '', options })
  const stock = { manageStock: true, stockQuantity: 50 }
  const product = await create('products', { title: 'Latte', price: 3, modifiers: [modifier.id], ...stock })
  const cake = await create('products', { title: 'Cake', price: 4, ...stock })
  await create('products', { title: 'Plum tart', price: 4 })
  await create('products', { title: 'Scone', price: 2 }, testKey)
  const menu = await create('menus', { title: 'Day', sections: [{ title: 'All', items: [product.id] }] })
  if (hasCoupon) await create('coupons', { title: 'Ten off', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  const tag = await create('tags', { metadata: [{ key: 'area', value: 'Terrace' }] })
  const webhook = await create('webhooks', { title: 'Till', url: 'https://pos.example.com/webhooks', events: [] })
  const { body: events } = await service.call('GET', `/merchants/${merchant}/events?limit=1&order=asc`, live)
  const ids = {
    merchant,
    product: product.id,
    cake: cake.id,
    option: modifier.options[0].id,
    modifier: modifier.id,
    menu: menu.id,
    tag: tag.id,
  }
  return { ...ids, webhook: webhook.id, section: menu.sections[0].id, event: events[0].id, live, testKey }
}
type Venue = Awaited<ReturnType<typeof createVenue>>

/** An example with the ids of a venue in place of ellipses. */
function complete(text: string, venue: Venue): string {
  // Where a block names two products, they are two.
  const products = text.replace('prod_…', venue.product).replaceAll('prod_…', venue.cake)
  const values: Record<string, string> = {
    'mer_…': venue.merchant,
    'mod_…': venue.modifier,
    'opt_…': venue.option,
    'menu_…': venue.menu,
    'sec_…': venue.section,
    'evt_…': venue.event,
    'sk_live_…': venue.live,
    'sk_test_…': venue.testKey,
    'http://localhost:8787': service.origin,
    'https://api.example.com': service.origin,
  }
  return Object.entries(values).reduce((filled, [from, to]) => filled.replaceAll(from, to), products)
}

/** A folder with the files that examples name. */
async function createFolder(page: string, venue: Venue): Promise<string> {
  const folder = await mkdtemp(join(work, 'page-'))
  await mkdir(join(folder, '.wrangler'))
  const demo = { url: service.origin, merchantId: venue.merchant, liveKey: venue.live, testKey: venue.testKey }
  await writeFile(join(folder, '.wrangler/demo.json'), JSON.stringify(demo))
  await writeFile(join(folder, 'key.txt'), venue.live)
  const widths = { 'flat-white.jpg': 800, 'dish-1600.jpg': 1600, 'dish-1216.webp': 1216, 'dish-176.webp': 176 }
  for (const [name, width] of Object.entries(widths)) {
    await writeFile(join(folder, name), await createGreyPng(width, width / 2))
  }
  const catalogue = examples.find((example) => example.page === page && example.language === 'json')
  if (catalogue !== undefined) await writeFile(join(folder, 'cafe.json'), catalogue.text)
  return folder
}

/**
 * Programs as they are on a developer's machine. `listen` runs until it is interrupted. The demo venue is that of the test. jq may be
 * missing: the guides read one field of an object or of a list.
 */
const programs = `
jq() { node -e 'const d = JSON.parse(fs.readFileSync(0)); for (const one of process.argv[1].startsWith(".[].") ? d : [d]) console.log(process.argv[1].match(/\\w+/g).reduce((value, name) => value[name], one))' "$2"; }
curl() { command curl --no-progress-meter "$@" && echo; }
npm() {
  [ "$1 $2 $3" = "run load --" ] || { echo "unknown: npm $*"; return 1; }
  case "$*" in *--url*) given= ;; *) given="--url $ORIGIN --merchant $MERCHANT --key $KEY" ;; esac
  command npm --prefix "$PROJECT" run --silent load -- "\${@:4}" $given
}
npx() {
  if [ "$2" != listen ]; then "$@"; return; fi
  "$@" > listen.txt 2>&1 & local pid=$!
  until grep -q whsec_ listen.txt; do kill -0 $pid || { cat listen.txt; return 1; }; sleep 0.1; done
  kill -INT $pid; wait $pid || true; cat listen.txt
}`

/** Pages that show rejected requests. */
const rejected = ['README.md', 'docs/errors.md']

describe.each(pagesWith('sh'))('the commands of %s', (page, blocks) => {
  test('work as they are typed', async () => {
    const venue = await createVenue(page === 'docs/taking-an-order.md')
    const folder = await createFolder(page, venue)
    const variables = {
      API: `${service.origin}/merchants/${venue.merchant}`,
      KEY: venue.live,
      ORIGIN: service.origin,
      MERCHANT: venue.merchant,
      WEBHOOK: venue.webhook,
      TAG: venue.tag,
      ADMIN_TOKEN: service.adminToken,
      PROJECT: resolve('.'),
      XDG_CONFIG_HOME: folder,
      PATH: `${join(commandLine, 'node_modules/.bin')}:${resolve('node_modules/.bin')}:${process.env['PATH']}`,
    }
    const profiles = ['test', 'live'].map(
      (mode) =>
        `merchant-ordering login --url $ORIGIN --merchant $MERCHANT --profile ${mode} --key ${mode === 'live' ? venue.live : venue.testKey}`,
    )
    const usesProfiles = blocks.some(({ text }) => text.includes('--profile'))
    const script = [...(usesProfiles ? profiles : []), ...blocks.map(({ text }) => complete(text, venue))].join('\n')
    const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
    const shell = ['bash', '-euo', 'pipefail', '-c', `${programs}\n${script}`]
    const { code, output } = await runCommand(folder, 'env', ...settings, ...shell)
    expect([output, code]).toEqual([expect.any(String), 0])
    const patterns = printed[page] ?? []
    for (const pattern of patterns) expect(output).toMatch(pattern)
    if (!rejected.includes(page)) expect(output).not.toMatch(/"requestId"/)
  })
})

/** Names that an example in TypeScript takes from its program. */
const preludes: Readonly<Record<string, string>> = {
  'docs/errors.md': `const [title, price] = ['', -1]`,
  'docs/synchronise.md': `const articles = [{ number: 'ART-9', name: 'Tea', price: 2 }]
    const save = (...row: unknown[]) => console.log('saved', row.length)
    const applyEvent = () => process.exit(0)
    setTimeout(() => client.products.create({ title: 'New', price: 1 }), 2000)`,
}
const results: Readonly<Record<string, RegExp>> = {
  'docs/errors.md': /^422 invalid_request/m,
  'docs/quickstart.md': /^Lemon tart 4\.5$/m,
  'docs/synchronise.md': /^saved 3$/m,
}

describe.each(pagesWith('ts'))('the TypeScript of %s', (page, blocks) => {
  test('runs', async () => {
    const venue = await createVenue()
    const text = blocks.map((block) => complete(block.text, venue)).join('\n')
    const create = `const client = createClient({ origin: '${service.origin}', merchantId: '${venue.merchant}', key: '${venue.live}' })`
    const program = text.includes('createClient')
      ? text
      : `import { createClient } from 'merchant-ordering-client'\n${create}\n${preludes[page]}\n${text}`
    const file = join(work, `${page.replaceAll(/\W/g, '-')}.ts`)
    await writeFile(
      file,
      program.replaceAll("'merchant-ordering-client'", `'${resolve('packages/client/src/client.ts')}'`),
    )
    const { code, output } = await runCommand('.', process.execPath, file)
    expect([output, code]).toEqual([expect.any(String), 0])
    expect(output).toMatch(results[page] ?? /^$/)
  })
})

/** Where the bodies are sent that pages show as JSON. */
const targets: Readonly<Record<string, (venue: Venue, index: number) => string>> = {
  'docs/batch.md': () => '/batch',
  'docs/details.md': ({ product, menu }, index) =>
    index === 0 ? `/products/${product}/details` : `/menus/${menu}/details`,
  'docs/guests.md': () => '',
  'docs/import-export.md': () => '/imports?apply=true',
}

test.each(examples.filter(({ language, page }) => language === 'json' && page !== 'docs/catalogue-files.md'))(
  'the service accepts $name',
  async (example: PageExample) => {
    const venue = await createVenue()
    const call = (method: string, path: string, json?: unknown, headers = {}) =>
      service.call(method, `/merchants/${venue.merchant}${path}`, venue.live, json, headers)
    const index = examples.filter(({ page, language }) => page === example.page && language === 'json').indexOf(example)
    const target = targets[example.page]?.(venue, index)
    expect(target).toBeDefined()
    if (example.page === 'docs/batch.md')
      await call('PUT', '/coupons/external/OLD', { title: 'Old', code: 'OLD', type: 'FIXED', value: 1 })
    const { headers } = await call('GET', `/menus/${venue.menu}`)
    const body = JSON.parse(
      complete(example.text, venue)
        .replace(JSON.stringify('"7-…"'), JSON.stringify(headers.get('etag')))
        .replace('https://menu.example/i/…', 'https://otter.example/logo.png'),
    )
    const type = example.page === 'docs/import-export.md' ? { 'content-type': 'application/jsonl' } : {}
    const { status, body: answer } = await call('POST', target ?? '', body, type)
    expect([answer, status < 300]).toEqual([answer, true])
  },
)
