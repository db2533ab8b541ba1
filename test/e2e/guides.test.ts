import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { firstGuides, guideGroups } from '../../tools/openapi/site/guide-groups.ts'
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
