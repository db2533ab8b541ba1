import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const cwd = resolve(import.meta.dirname, '../..')

/** A fenced block of a page. */
export interface PageExample {
  page: string
  /** Empty if the fence names none. */
  language: string
  text: string
  /** The page and the first line, which identify it in the lists below. */
  name: string
}

/** All fenced blocks of a page, in their order. Throws if a fence is not closed. */
export function findExamples(page: string, source: string): PageExample[] {
  const examples: PageExample[] = []
  let open: { fence: string; indent: string; language: string; lines: string[] } | undefined
  for (const line of source.split('\n')) {
    const [, indent = '', fence, language = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (open === undefined) {
      if (fence !== undefined) open = { fence, indent, language: language.trim(), lines: [] }
    } else if (fence?.startsWith(open.fence) && language.trim() === '') {
      const { indent, language, lines } = open
      const text = lines.map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each)).join('\n')
      examples.push({ page, language, text, name: `${page}: ${text.split('\n')[0]}` })
      open = undefined
    } else open.lines.push(line)
  }
  if (open !== undefined) throw new Error(`${page} has a fence that is not closed`)
  return examples
}

/** All fenced blocks of the documentation. */
export const pageExamples: readonly PageExample[] = globSync(['docs/*.md', 'README.md', 'packages/*/README.md'], {
  cwd,
})
  .sort()
  .flatMap((page) => findExamples(page, readFileSync(resolve(cwd, page), 'utf8')))

/** Blocks that no test can run, with the reason. Each entry is the start of the block's name. */
export const notRun: Readonly<Record<string, string>> = {
  'README.md: npx wrangler login': 'needs a cloud account',
  'docs/operations.md: npx wrangler d1 time-travel': 'needs a cloud account',
  'docs/mcp.md: npm run deploy ': 'needs a cloud account',
  'docs/guests.md: # wrangler.toml': 'needs a cloud account and a domain',
  'docs/mcp.md: npx @modelcontextprotocol/inspector': 'downloads a program of other people',
  'packages/client/README.md: npm install merchant-ordering-client': 'the package is published with a release',
  'docs/performance.md: npm run bench ': 'takes minutes to hours',
  'docs/scale.md: npm run bench:scale ': 'takes minutes',
  'docs/architecture.md: ': 'a diagram or a tree of folders',
  'docs/printing.md: POST /merchants/:merchantId/tags/sheet-link': 'a list of routes',
  'docs/tags.md: https://order.example.com/menu': 'an address with placeholders',
  'docs/webhooks.md: const { id } = await env.ORDERING': 'runs in another Worker, with a service binding',
}

/** Blocks whose program or commands a test of their own runs, with its file. Each entry is the start of the block's name. */
export const runElsewhere: Readonly<Record<string, string>> = {
  'README.md: npm ci && npm run dev': 'test/e2e/dev.test.ts',
  'docs/ordering-page.md: npx node examples/ordering-page': 'test/e2e/ordering-page.test.ts',
  'docs/service-levels.md: promtool check rules': 'test/e2e/promtool.test.ts',
  'docs/leaving.md: ORIGIN=': 'test/e2e/server/moving-venue.test.ts',
  'docs/run-it-yourself.md: npm ci': 'test/e2e/server/start.test.ts',
  'docs/run-it-yourself.md: npm run server -- backup': 'test/e2e/server/backup.test.ts',
  'docs/run-it-yourself.md: server {': 'test/e2e/server/proxies.test.ts',
  'docs/run-it-yourself.md: npx vitest run': 'test/e2e/server/lost-queues.test.ts',
  'packages/server/README.md: export ADMIN_TOKEN': 'test/e2e/server/start.test.ts',
  'docs/client.md: import { ApiError': 'test/e2e/client.test.ts',
  'packages/client/README.md: import { ApiError': 'test/e2e/client.test.ts',
  'docs/webhooks.md: npx merchant-ordering certify': 'test/e2e/certify.test.ts',
  'docs/webhooks.md: import { createServer }': 'test/e2e/samples.test.ts',
  'docs/webhooks.md: import base64': 'test/e2e/samples.test.ts',
  'docs/webhooks.md: <?php': 'test/e2e/samples.test.ts',
  'docs/operations.md: npm run backup -- mer_…': 'test/e2e/backup.test.ts',
  'docs/venue-as-code.md: merchant': 'test/e2e/command-line/venue-file.test.ts',
  'docs/releases.md: merchant-ordering releases create': 'test/e2e/command-line/releases.test.ts',
}

/** Samples of responses, events, files and settings. A test reads those in JSON. */
const shown: readonly string[] = [
  'README.md: {"id":"prod_',
  'README.md: HTTP/1.1 302 Found',
  'README.md: {',
  'docs/authentication.md: { "id": "key_…"',
  'docs/errors.md: {',
  'docs/errors.md: [',
  'docs/guests.md: {#2',
  'docs/when-you-are-closed.md: {',
  'docs/when-you-are-closed.md: { "pointer"',
  'docs/mcp.md: {',
  'docs/idempotency.md: Idempotent-Replayed: true',
  'docs/import-export.md: {"export":',
  'docs/pagination.md: Link: <',
  'docs/pictures.md: { "url":',
  'docs/printing.md: {',
  'docs/printing.md: { "url":',
  'docs/quickstart.md: { "id": "prod_…"',
  'docs/tags.md: { "id": "tag_…"',
  'docs/taking-an-order.md: { "product": "prod_…", "quantity": 1',
  'docs/taking-an-order.md: { "product": "prod_…", "quantity": 2',
  'docs/webhooks.md: {',
  'docs/venue-as-code.md: ~ merchant',
  'docs/venue-as-code.md: venue.yaml:300:12',
  'docs/venue-as-code.md: # .github/workflows',
]

const find = (starts: readonly string[], { page, name, text }: PageExample) =>
  starts.find((start) => {
    const [prefix = '', marker] = start.split('#2')
    if (prefix.endsWith(': {') && !prefix.endsWith(': { ')) {
      // A block that begins with a brace alone: the first of its page, or with a marker the second.
      const alike = pageExamples.filter((each) => each.page === page && each.name === prefix)
      return name === prefix && alike[marker === undefined ? 0 : 1]?.text === text
    }
    return name.startsWith(prefix)
  })

export const allEntries = { notRun: Object.keys(notRun), runElsewhere: Object.keys(runElsewhere), shown }

/** What becomes of a block: `run` by `test/e2e/page-examples.test.ts` unless a list above names it. */
export function classify(example: PageExample): { kind: 'run' | keyof typeof allEntries; entry?: string } {
  for (const kind of ['notRun', 'runElsewhere', 'shown'] as const) {
    const entry = find(allEntries[kind], example)
    if (entry !== undefined) return { kind, entry }
  }
  return { kind: 'run' }
}

/** Output of the commands of a page, in any order. */
export const printed: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/"title":"Lemon tart"/, /"price":4\.8,/, /"code":"unknown_field"/, /^HTTP\/1\.1 302/im],
  'docs/authentication.md': [/"title":"Menu board".*"key":"sk_test_\w+"/],
  'docs/catalogue-files.md': [/^ *webhooks +1 +0 +0/m, /^ *webhooks +0 +1 +0/m],
  'docs/client.md': [/"key":"sk_test_\w+"/],
  'docs/command-line.md': [/Lemon tart/, /whsec_/],
  'docs/console.md': [/"key":"sk_live_\w+"/, /"url":"http[^"]*"/],
  'docs/errors.md': [/"code":"invalid_request"/, /"pointer":"\/colour"/],
  'docs/external-ids.md': [/"title":"Flat white"/],
  'docs/going-live.md': [/state +done/, /created +1/],
  'docs/idempotency.md': [/^idempotent-replayed: true/im, /"price":5,/],
  'docs/files.md': [/"state":"(?:checking|asking|ready)"/],
  'docs/when-you-are-closed.md': [/"paused":true/],
  'docs/import-export.md': [/"state":"(?:checking|ready)"/],
  'docs/operations.md': [/"name":"Your venue"/, /"key":"sk_live_\w+"/],
  'docs/pagination.md': [/^link: <\/merchants\/.*>; rel="next"\r?$/im, /^Plum tart\nCake\nLatte$/m, /"version":1/],
  'docs/pictures.md': [/-800"/, /-1600-1216-176"/],
  'docs/printing.md': [/\/tags\.pdf/, /\/chip\//],
  'docs/releases.md': [/"state":"draft"/],
  'docs/quickstart.md': [/"price":4\.8,/, /"title":"Lunch"/, /^http:.*\/t\/\w+$/m, /whsec_/],
  'docs/synchronise.md': [/"price":3\.5,/],
  'docs/tags.md': [/"alias":\["[\w-]+"\]/, /"orderingUrl":"https:/, /\/tags\.pdf\?/],
  'docs/taking-an-order.md': [/"orderable":true/, /"soldOut":true/, /"state":"redeemed"/, /"effects":/],
  'docs/webhooks.md': [/"secret":"whsec_/, /"recovered":\d/, /rel="next"/],
  'packages/cli/README.md': [/Lemon tart/, /whsec_/],
}
