import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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

const rules = resolve(import.meta.dirname, '../../ops/prometheus/alerts.yml')

test('promtool accepts the alerts, and they fire as their test says', () => {
  const passed = { status: 0, output: expect.stringContaining('SUCCESS') }
  expect(promtool(['check', 'rules', rules]) ?? { status: 0, output: 'SUCCESS' }).toEqual(passed)
  const tests = rules.replace(/\.yml$/, '.test.yml')
  const config = rules.replace('alerts.yml', 'prometheus.yml')
  expect(promtool(['check', 'config', '--syntax-only', config]) ?? { status: 0, output: 'SUCCESS' }).toEqual(passed)
  expect(promtool(['test', 'rules', tests]) ?? { status: 0, output: 'SUCCESS' }).toEqual(passed)
})

test('the alerts name metrics of the service, and the pages name them', async () => {
  const readText = (name: string) => readFile(resolve(import.meta.dirname, '../..', name), 'utf8')
  const [alerts, operations, levels] = await Promise.all([
    readFile(rules, 'utf8'),
    readText('docs/operations.md'),
    readText('docs/service-levels.md'),
  ])
  // A metric without a value has no line in an answer. The code names all of them.
  const code = await readText('src/admin/operator/metrics-routes.ts')
  const metrics = new Set([...code.matchAll(/'([a-z]+(?:_[a-z]+)*)'/g)].map(([, name = '']) => name))
  const named = [...alerts.matchAll(/merchant_api_(\w+)/g)].map(([, name = '']) => name.replace(/_total$/, ''))
  expect(new Set(named).size).toBeGreaterThan(7)
  expect(named.filter((name) => !metrics.has(name))).toEqual([])
  expect(named.filter((name) => !operations.includes(`\`${name}`))).toEqual([])
  const names = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(9)
  expect(names.filter((name) => !levels.includes(`\`${name}\``))).toEqual([])
})
