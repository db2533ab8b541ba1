import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { printStructure } from './structure.ts'

/**
 * Runs the tests that measure, and prints what they measured as a table. With `tools`, those of the tools for developers. With `console`,
 * measures the screens of the console instead. With `structure`, counts rooms and imports of the sources; with `path`, the files that a request
 * passes. The tests make all their rounds, as in CI.
 */
const folder = resolve(import.meta.dirname, '..')
const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
const e2e = ['--config', 'test/vitest.config.ts', '--project', 'e2e']
const tools = ['client', 'bundle', 'recipes', 'command-line/listen'].map((name) => [...e2e, `test/e2e/${name}.test.ts`])
const service = [
  ['--config', 'test/vitest.config.ts', 'test/webhooks/delivery-costs.test.ts', 'test/webhooks/backlog.test.ts'],
  [
    '--config',
    'test/vitest.config.ts',
    'test/platform/db/audit-log.test.ts',
    'test/admin/audit-routes.test.ts',
    'test/platform/http/stored-responses.test.ts',
  ],
  ['--config', 'test/vitest.config.ts', 'test/e2e/delivery.test.ts', 'test/e2e/platform-webhook.test.ts'],
]

const measuring = process.argv[2] === 'tools' ? tools : service

async function run(args: readonly string[]) {
  const options = { cwd: folder, env: { ...process.env, CI: 'true' } }
  const child = spawn(process.execPath, [vitest, 'run', ...args], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  const failed = !/\b0 failed/.test(output)
  if (failed) console.error(output)
  return { failed, figures: [...output.matchAll(/figure: (.+), (.+)/g)].map(([, what, value]) => [what, value]) }
}

if (process.argv[2] === 'console') {
  await import('./e2e/screenshots/console-figures.ts')
  process.exit()
}

if (process.argv[2] === 'structure') {
  printStructure()
  process.exit()
}

if (process.argv[2] === 'path') {
  await import('./path.ts')
  process.exit()
}

const results = []
for (const args of measuring) results.push(await run(args))
const figures = results.flatMap((result) => result.figures)
console.log('| Figure | Measured |\n|---|---|')
for (const [what, value] of figures) console.log(`| ${what} | ${value} |`)
process.exitCode = results.some(({ failed }) => failed) || figures.length === 0 ? 1 : 0
