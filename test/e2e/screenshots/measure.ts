import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import * as z from 'zod'
import { chromiumPath, listAxeViolations, visit } from '../browser.ts'

const run = promisify(execFile)
const folder = resolve(import.meta.dirname, '../../..')
/** `npm ci --prefix test/foreign` installs it. */
const lighthouse = resolve(folder, 'test/foreign/node_modules/lighthouse/cli/index.js')

const report = z.object({ categories: z.record(z.string(), z.object({ score: z.number().nullable() })) })
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

interface LighthouseOptions {
  /** Scored categories. Default: all. */
  only?: readonly (typeof categories)[number][]
  /** On a desk, instead of a phone. */
  isDesk?: boolean
  /** Whether the page may be indexed. Of others, Lighthouse does not ask it. */
  isIndexed?: boolean
  /** Port at which a browser that is signed in can be controlled. Default: a browser of its own. */
  port?: number
  /** Number of runs, of which the median counts. Default: 1. */
  runs?: number
}

/** Lighthouse's scores, in the order of `only`. It opens no pages of errors. */
export async function runLighthouse(
  address: string,
  { only = categories, isDesk = false, isIndexed = true, port, runs = 1 }: LighthouseOptions = {},
): Promise<string> {
  if (!existsSync(lighthouse)) return '–'
  const flags = [
    ...(isDesk ? ['--preset=desktop'] : []),
    ...(isIndexed ? [] : ['--skip-audits=is-crawlable']),
    '--quiet',
    '--output=json',
    ...(port === undefined
      ? ['--chrome-flags=--headless --no-sandbox --disable-gpu']
      : [`--port=${port}`, '--disable-storage-reset']),
    `--only-categories=${only}`,
  ]
  const measured: number[][] = []
  for (let index = 0; index < runs; index++) {
    const { stdout } = await run(process.execPath, [lighthouse, address, ...flags], {
      env: { ...process.env, CHROME_PATH: chromiumPath },
      maxBuffer: 1e8,
    })
    const scores = report.parse(JSON.parse(stdout)).categories
    measured.push(only.map((name) => Math.round(100 * (scores[name]?.score ?? 0))))
  }
  const getMedian = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  return only.map((_, index) => getMedian(measured.flatMap((scores) => scores[index] ?? []))).join(' / ')
}

const isIndexed = (response: Response, text: string) =>
  !`${response.headers.get('x-robots-tag')}`.includes('noindex') && !/<meta name="robots" content="noindex">/.test(text)

/** Measures pages, and prints a table: compressed bytes of the page, requests, Lighthouse's scores, issues that axe finds. */
export async function measurePages(browser: Browser, pages: readonly (readonly [name: string, address: string])[]) {
  console.log('| Page | KB gzip | Requests | Lighthouse: performance / accessibility / best practices / SEO | axe |')
  console.log('| --- | ---: | ---: | --- | ---: |')
  for (const [name, address] of pages) {
    const response = await fetch(address)
    const text = await response.text()
    const bytes = gzipSync(text).length
    const { requests, issues } = await visit(browser, address, { bypassCSP: true }, async (page, seen) => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      await page.waitForLoadState('networkidle')
      const requests = seen.requests.filter((request) => !request.endsWith(' data:')).length
      return { requests, issues: (await listAxeViolations(page)).length }
    })
    console.log(
      `| ${name} | ${(bytes / 1_000).toFixed(1)} | ${requests} | ${response.ok ? await runLighthouse(address, { isIndexed: isIndexed(response, text), runs: 3 }) : '–'} | ${issues} |`,
    )
  }
}
