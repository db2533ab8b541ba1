import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '../../src/auth/api-keys.ts'
import { firstGuides, guideGroups } from '../../src/openapi/site/guide-groups.ts'
import { runCommand } from './command.ts'
import { type ConnectedService, connectService } from './shared-service.ts'

let service: ConnectedService
/** The HTML of each guide and recipe by its path. */
const pages = new Map<string, string>()

const linksOf = (page: string) => Array.from(page.matchAll(/<a href="([^"]*)"/g), ([, href = '']) => href)
const idsOf = (page: string) => new Set(Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id = '']) => id))

beforeAll(async () => {
  service = await connectService()
  const waiting = ['/docs/guides']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const response = await fetch(service.origin + path)
    expect([path, response.status]).toEqual([path, 200])
    const page = await response.text()
    pages.set(path, page)
    const found = linksOf(page).map((href) => href.replace(/#.*/, ''))
    waiting.push(
      ...new Set(
        found.filter((href) => href.startsWith('/docs/guides/') && !pages.has(href) && !waiting.includes(href)),
      ),
    )
  }
})

test('every link of every guide leads to a page and a heading that exist', async () => {
  expect(pages.size).toBeGreaterThan(50)
  const others = new Map<string, string>()
  const missing: string[] = []
  for (const [from, page] of pages) {
    for (const href of linksOf(page).filter((link) => !link.startsWith('http'))) {
      const [path = '', anchor] = href.split('#')
      const target = path === '' ? from : path
      if (!pages.has(target) && !others.has(target)) {
        const response = await fetch(service.origin + target)
        others.set(target, response.ok ? await response.text() : '')
      }
      const found = pages.get(target) ?? others.get(target) ?? ''
      if (found === '' || (anchor !== undefined && !idsOf(found).has(anchor))) missing.push(`${from}: ${href}`)
    }
  }
  expect(missing).toEqual([])
})

test('the list of guides, the summary for language models and the reference lead to the guides', async () => {
  const read = async (path: string) => (await fetch(service.origin + path)).text()
  for (const name of Object.values(guideGroups).flat()) {
    expect(linksOf(pages.get('/docs/guides') ?? '')).toContain(`/docs/guides/${name}`)
  }
  const summary = await read('/llms.txt')
  for (const name of firstGuides) expect(summary).toContain(`(/docs/guides/${name})`)
  for (const path of ['/', '/docs']) expect(linksOf(await read(path))).toContain('/docs/guides/quickstart')
})

test('recipes are pages with their whole source', async () => {
  const source = await readFile('docs/recipes/go/create_once.go', 'utf8')
  const [, shown = ''] = /<code>([\s\S]*)<\/code>/.exec(pages.get('/docs/guides/recipe-go-create-once') ?? '') ?? []
  const texts: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }
  expect(shown.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => texts[name] ?? '')).toBe(source)
})

/** Output of the commands of a guide, in any order. */
const printed: Readonly<Record<string, readonly RegExp[]>> = {
  quickstart: [/^\[\]$/m, /"price":4\.8,/, /"title":"Lunch"/, /^http:.*\/t\/\w+$/m],
  authentication: [/"title":"Menu board".*"key":"sk_test_\w+"/],
  pagination: [/^link: <\/merchants\/.*>; rel="next"\r?$/im, /^Tart 1\nTart 0$/m, /"version":1/],
  idempotency: [/^idempotent-replayed: true/im, /"price":5,/],
  errors: [/"code":"invalid_request"/, /"pointer":"\/colour"/],
  tags: [/"alias":\["[\w-]+"\]/, /"orderingUrl":"https:/, /\/tags\.pdf\?/, /^\[\]$/m],
}

describe.each(Object.entries(printed))('the commands of %s', (name, expected) => {
  test('work as they are typed', async () => {
    const { id } = await service.createAccount()
    const { body } = await service.call('POST', `/admin/merchants/${id}/keys`, service.adminToken, {
      mode: 'live',
      scopes,
    })
    if (name === 'pagination') {
      const operations = [0, 1, 2, 3, 4].map((index) => ({
        op: 'create',
        resource: 'products',
        body: { title: `Tart ${index}`, price: 1 },
      }))
      await service.call('POST', `/merchants/${id}/batch`, body.key, { operations })
    }
    const guide = await readFile(`docs/${name}.md`, 'utf8')
    // Blocks with an ellipsis have to be completed by the reader.
    const blocks = Array.from(guide.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = '']) => block)
    const script = blocks.filter((block) => !block.includes('…') && !block.includes('npx ')).join('\n')
    expect(script).toContain('curl')
    // jq may be missing on this machine: these guides read one field of an object or a list.
    const jq = `jq() { node -e 'const d = JSON.parse(fs.readFileSync(0)); for (const one of process.argv[1].startsWith(".[].") ? d : [d]) console.log(process.argv[1].match(/\\w+/g).reduce((value, name) => value[name], one))' "$2"; }`
    const { code, output } = await runCommand(
      service.state,
      'bash',
      '-euo',
      'pipefail',
      '-c',
      `cd "$(mktemp -d)"\nexport API=${service.origin}/merchants/${id} KEY=${body.key}\n${jq}\ncurl() { command curl --no-progress-meter "$@" && echo; }\n${script}`,
    )
    expect([output, code]).toEqual([expect.any(String), 0])
    for (const pattern of expected) expect(output).toMatch(pattern)
    if (name !== 'errors') expect(output).not.toMatch(/"requestId"/)
  })
})
