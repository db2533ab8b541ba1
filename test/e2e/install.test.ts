import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { type Checkout, createCheckout } from './checkout.ts'
import { runCommand } from './command.ts'

const project = resolve(import.meta.dirname, '../..')
const manifest = z
  .object({ scripts: z.record(z.string(), z.string()), allowScripts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(await readFile(resolve(project, 'package.json'), 'utf8')))
const lock = z
  .object({ packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional() })) })
  .parse(JSON.parse(await readFile(resolve(project, 'package-lock.json'), 'utf8')))

let checkout: Checkout

beforeAll(async () => {
  checkout = await createCheckout()
})
afterAll(() => checkout.remove())

const preflight = './tools/cli/preflight.cjs'
/** Runs the check as if Node had another version. */
const checkAs = (version: string) => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
  return runCommand(checkout.folder, process.execPath, '-e', `${pretend}; require('${preflight}'); console.log('on')`)
}

test('an old Node is rejected with one line', async () => {
  for (const version of ['12.22.12', '20.20.2', '22.17.9']) {
    const output = `This project requires Node 22.18 or newer; you have v${version}.\n`
    expect(await checkAs(version)).toEqual({ code: 1, output })
  }
  for (const version of ['22.18.0', '23.0.0', '24.21.0'])
    expect(await checkAs(version)).toEqual({ code: 0, output: 'on\n' })
})

test('missing dependencies are reported with one line', async () => {
  const bare = await createCheckout({ isInstalled: false })
  try {
    const { code, output } = await runCommand(bare.folder, 'npm', 'run', '--silent', 'dev')
    expect({ code, output }).toEqual({ code: 1, output: 'Dependencies are not installed. Run: npm ci\n' })
  } finally {
    await bare.remove()
  }
})

test('every script that runs Node checks its version first', () => {
  const programs = Object.entries(manifest.scripts).filter(([, script]) => /\bnode\b.*\.[cm]?[jt]s\b/.test(script))
  expect(programs.length).toBeGreaterThan(8)
  const unchecked = programs.filter(
    ([, script]) => !/^(?:npm run check && )?node (?:-r \.\/)?tools\/cli\/preflight\.cjs /.test(script),
  )
  expect(unchecked).toEqual([])
})

test('no package needs an install script: all install scripts are denied', () => {
  const names = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect(Object.fromEntries(names.map((name) => [name, false]))).toEqual(manifest.allowScripts)
})
