import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseOpenMetrics, requirePrometheusText } from '../support/open-metrics.ts'
import { connectService } from './shared-service.ts'

/** Runs promtool of the Debian package `prometheus`; undefined where it is not installed. */
function promtool(args: readonly string[], input = '') {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return error ? undefined : { status, output: stdout + stderr }
}

async function read(accept: string) {
  const { origin, adminToken } = await connectService()
  const headers = { authorization: `Bearer ${adminToken}`, accept }
  return await (await fetch(`${origin}/admin/metrics`, { headers })).text()
}

test('promtool accepts the text format of Prometheus without a warning', async () => {
  const text = await read('*/*')
  expect(requirePrometheusText(text).size).toBeGreaterThan(5)
  expect(promtool(['check', 'metrics'], text) ?? { status: 0, output: '' }).toEqual({ status: 0, output: '' })
})

test('promtool reads the format OpenMetrics', async () => {
  const text = await read('application/openmetrics-text')
  expect(parseOpenMetrics(text).size).toBeGreaterThan(5)
  const folder = await mkdtemp(join(tmpdir(), 'metrics-'))
  // It reads samples with times only.
  const timed = text.replace(/^([^#].*)$/gm, `$1 ${Math.floor(Date.now() / 1000)}`)
  await writeFile(join(folder, 'metrics'), timed)
  const args = ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'metrics'), join(folder, 'data')]
  expect(promtool(args)?.status ?? 0).toBe(0)
  await rm(folder, { recursive: true })
})
