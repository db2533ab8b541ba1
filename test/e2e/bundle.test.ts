import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { startCommand } from './command.ts'

const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
afterAll(() => rm(folder, { recursive: true }))

/** Bytes the platform loads for each isolate, as it counts them: compressed, and without the static assets. */
const budget = 200_000
const build = ['deploy', '--dry-run', '--minify', '--outdir'] as const

test('the Worker stays within its size budget and contains no documentation code', async () => {
  const { code } = await startCommand('.', 'npx', 'wrangler', ...build, folder).ended
  expect(code).toBe(0)
  const bundle = await readFile(join(folder, 'index.js'))
  expect(gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(budget)
  expect(bundle.toString()).not.toContain('$schema')
})
