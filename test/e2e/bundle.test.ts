import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { findStartModules } from '../../tools/cli/build/worker.ts'
import { startCommand } from './command.ts'

const wrangler = 'node_modules/.bin/wrangler'
const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
afterAll(() => rm(folder, { recursive: true }))

/**
 * Compressed bytes: `start` is evaluated when an isolate starts, `largest` is the largest module that is loaded when it is first needed: the
 * one that reads files of other systems.
 */
const budgets = { start: 110_000, largest: 52_000 } as const
/** Compressed bytes of the MCP server. */
const mcpBudget = 110_000
const getSize = ({ contents }: { contents: string }) => gzipSync(contents, { level: 9 }).length

test('the Worker stays within its size budgets and contains no documentation code', async () => {
  const { code } = await startCommand('.', wrangler, 'deploy', '--dry-run', '--outdir', folder).ended
  expect(code).toBe(0)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mjs'))
  const modules = await Promise.all(
    names.map(async (name) => ({ name, contents: await readFile(join(folder, name), 'utf8') })),
  )
  const start = findStartModules(modules)
  const loaded = modules.filter((module) => !start.includes(module))
  expect(start.reduce((sum, module) => sum + getSize(module), 0)).toBeLessThanOrEqual(budgets.start)
  expect(loaded.length).toBeGreaterThan(10)
  expect(Math.max(...loaded.map(getSize))).toBeLessThanOrEqual(budgets.largest)
  for (const { contents } of modules) expect(contents).not.toContain('$schema')
  for (const { contents } of modules) expect(contents).not.toContain('modelcontextprotocol')
})

test('the MCP server is a Worker of its own within its size budget', async () => {
  const config = ['--config', 'packages/mcp/wrangler.toml']
  const outdir = join(folder, 'mcp')
  const { code, output } = await startCommand(
    ...(['.', wrangler, 'deploy', '--dry-run', '--minify', ...config, '--outdir', outdir] as const),
  ).ended
  expect([code, output]).toEqual([0, expect.stringContaining('API')])
  const size = gzipSync(await readFile(join(outdir, 'index.js')), { level: 9 }).length
  console.log(`figure: the MCP server, ${size.toLocaleString('en')} bytes gzip`)
  expect(size).toBeLessThanOrEqual(mcpBudget)
})
