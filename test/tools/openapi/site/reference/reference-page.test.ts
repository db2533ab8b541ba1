import { describe, expect, test } from 'vitest'
import { send } from '../../../../support/api.ts'

const { body: page }: { body: string } = await send('/docs')
const { body: styles }: { body: string } = await send('/docs/look.css')
const { body: document } = await send('/openapi.json')

const countGzip = async (text: string) =>
  (await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()).byteLength

describe('the reference', () => {
  test('needs at most 99 KB for the page and its styles, and only the script that searches', async () => {
    expect((await countGzip(page)) + (await countGzip(styles))).toBeLessThanOrEqual(99_000)
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/search.js" defer>'])
  })

  test('has every operation and schema, each in one place', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const operations = Object.values<Record<string, { operationId?: string }>>(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ operationId }) => operationId ?? [])
    expect(operations.length).toBeGreaterThan(100)
    for (const id of [...operations, ...Object.keys(document.components.schemas)]) expect(ids).toContain(id)
    for (const path of Object.keys(document.paths)) expect(page).toContain(` ${path}</code>`)
  })

  test('has no link to a missing place on the page', () => {
    const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id)
    expect(links.filter((id) => !page.includes(` id="${id}"`))).toEqual([])
  })

  test('describes fields of several schemas and parameters of several lists once', () => {
    for (const text of [
      'Price of one unit in the merchant&#39;s currency. 0–1,000,000,000',
      'From the <code>Link</code> header of the previous page.',
      'Time of creation, in seconds since 1970-01-01 UTC. Set by the service.',
    ]) {
      expect([text, page.split(text).length - 1]).toEqual([text, 1])
    }
  })

  test('escapes what descriptions contain', () => {
    expect(page).toContain('<code>&lt;resource&gt;:write</code>')
  })
})
