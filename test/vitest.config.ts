import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { useCompileCache } from './support/compile-cache.ts'
import { listLeft } from './support/left-to-ci.ts'
import { makeResettable } from './support/make-resettable.ts'
import { createMemoryFolder } from './support/memory-folder.ts'
import { resetVariables } from './support/module-variables.ts'
import { listMissingPermissions, programs } from './support/needs.ts'
import { others, representative } from './support/object-suite.ts'
import { outside } from './support/outside.ts'
import { SlowestFirst } from './support/slowest-first.ts'
import { sqliteObject } from './support/sqlite-object.ts'
import { summary } from './support/summary.ts'

const projectFolder = resolve(import.meta.dirname, '..')

const places = ['/usr/bin', 'test/foreign/node_modules/.bin']
const isInstalled = (program: string) => places.some((place) => existsSync(`${place}/${program}`))
const hasBrowser = ['chromium-headless-shell', 'chromium'].some(isInstalled)
const endToEndFiles = globSync('**/*.test.ts', { cwd: resolve(import.meta.dirname, 'e2e') })
/** End-to-end files that cannot run here, with what they lack. */
const impossible = endToEndFiles.flatMap((file) => {
  const usesBrowser = readFileSync(resolve(import.meta.dirname, 'e2e', file), 'utf8').includes('getBrowser')
  const missing = (programs[file] ?? []).filter((program) => !isInstalled(program))
  if (usesBrowser && !hasBrowser) missing.push('chromium-headless-shell')
  missing.push(...listMissingPermissions(file))
  return missing.length === 0 ? [] : [{ file: `test/e2e/${file}`, missing }]
})
for (const { file, missing } of impossible) console.log(`${file} is left out: it needs ${missing.join(', ')}.`)
const leftOut = [...impossible.map(({ file }) => file), ...listLeft()]

/** Dependencies of the Worker and its tests, as they import them. */
const bundled = [
  '@cfworker/json-schema',
  '@hono/zod-validator',
  'drizzle-orm',
  'drizzle-orm/casing',
  'drizzle-orm/sqlite-core',
  'drizzle-orm/sqlite-proxy',
  'hono',
  'hono/client',
  'hono/html',
  'hono/router/trie-router',
  'papaparse',
  'qr',
  'zod',
  'zod/mini',
]

const sourceFolder = resolve(projectFolder, 'src/')
/** The rounds that tests with random input make, of those in CI. `ROUNDS=4` makes four times as many as CI. */
const roundsShare = Number(process.env['ROUNDS'] ?? (process.env['CI'] ? 1 : 1 / 16))
/** In CI a test that fails runs once more: processes and browsers may be slow on a busy machine. The report names it. */
const retry = process.env['CI'] ? 1 : 0
/** How long `expect.poll` waits, in milliseconds: vitest's second is too short for a busy machine. */
const polls = { poll: { timeout: 20_000 } }
/** All cores: vitest by default leaves one of them idle, which on two cores doubles the time. */
const maxWorkers = availableParallelism()

/**
 * Unit and integration tests run inside workerd, against the Worker with real local D1. End-to-end tests run in plain Node: they type
 * the commands that a developer types. Tests of the repository itself (workflows, guides, scripts) run in plain Node and need no service.
 */
useCompileCache()
if (!process.env['NODE_OPTIONS']?.includes('fast-imports'))
  process.env['NODE_OPTIONS'] =
    `${process.env['NODE_OPTIONS'] ?? ''} --require ${JSON.stringify(resolve(projectFolder, 'tools/cli/fast-imports.cjs'))}`
// A process of its own: an import would bundle the whole of `src` into this file before each run. Vitest evaluates this file three times.
if (process.env['WORKER_IS_PREPARED'] === undefined) {
  execFileSync(process.execPath, ['tools/cli/build/prepare-worker.ts', '--if-changed'], { cwd: projectFolder })
  process.env['WORKER_IS_PREPARED'] = '1'
}
// The databases of tests and of the services that they start. Other files stay on the disk: they may be too large, or programs.
process.env['DISK_FOLDER'] ??= tmpdir()
const diskFolder = process.env['DISK_FOLDER']
const dataFolder = createMemoryFolder() ?? diskFolder
process.env['TMPDIR'] = dataFolder
// Tests set up databases of their own, and leave the developer's alone.
process.env['SKIP_LOCAL_SETUP'] = '1'

/** Lets `support/fresh.ts` set variables of modules to their first values: loading all modules again takes seconds. */
const resettableVariables = {
  name: 'resettable-variables',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    const names = id.startsWith(projectFolder) ? resetVariables[id.slice(projectFolder.length + 1)] : undefined
    return names && makeResettable(code, names)
  },
}

/**
 * Loads the modules of `import()` with the modules that name them. Vite loads a module through the request that first imports it, and
 * workerd lets no other request wait for that; its own modules have no such limit (`test/e2e/lazy-modules.test.ts`).
 */
const staticImports = {
  name: 'static-imports',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!id.startsWith(sourceFolder)) return undefined
    const paths: string[] = []
    const transformed = code.replace(/\bimport\('([^']+)'\)/g, (_, path: string) => {
      paths.push(path)
      return `Promise.resolve(lazy${paths.length - 1})`
    })
    return paths.map((path, index) => `import * as lazy${index} from '${path}';`).join('') + transformed
  },
}

const migrations = await readD1Migrations('migrations')
/** Tests inside workerd whose merchants have their data in `defaultHome`, unless a test says otherwise. */
const workerProject = (name: string, defaultHome: string, include: string[]): TestProjectConfiguration => ({
  plugins: [
    resettableVariables,
    staticImports,
    cloudflareTest({
      main: 'src/index.ts',
      wrangler: { configPath: 'wrangler.toml' },
      miniflare: {
        // Empty: tests that apply migrations step by step use it.
        d1Databases: { BLANK: 'blank' },
        // Tests that need smaller pictures pass it on as `IMAGES`: the service's own configuration has none.
        images: { binding: 'LOCAL_IMAGES' },
        serviceBindings: { SQLITE_OBJECT: 'sqlite-object' },
        outboundService: outside.name,
        workers: [outside, sqliteObject],
        bindings: {
          MIGRATIONS: migrations,
          ADMIN_TOKEN: 'test-admin-token',
          ALLOW_INSECURE_WEBHOOKS: '1',
          PUBLIC_BASE_URL: 'https://menu.example',
          ROUNDS_SHARE: roundsShare,
          DEFAULT_HOME: defaultHome,
        },
      },
    }),
  ],
  test: {
    name,
    // Some tests make hundreds of calls, and the machine may have other things to do.
    testTimeout: process.env['CI'] ? 240_000 : 60_000,
    retry,
    expect: polls,
    include,
    exclude: leftOut,
    setupFiles: ['test/support/fresh.ts'],
    // Vitest waits for the reply to each line that it intercepts. The pool sends a line of an object or a consumer only with the next
    // message of the test, so that a line behind the last one keeps the run from ending: github.com/cloudflare/workers-sdk/issues/15719.
    disableConsoleIntercept: true,
    // Few large modules instead of 250 small ones, which a test that reloads all modules would evaluate again.
    deps: { optimizer: { ssr: { enabled: true, include: bundled } } },
    // One workerd process for each core and not for each file. The set-up file resets what files could share.
    isolate: false,
    maxWorkers,
  },
})

const workerTests = [
  'test/{admin,app,bench,bulk,catalogue,checkout,client,platform,storefront,tenancy,tools,webhooks}/**/*.test.ts',
]
/** In CI, or with `OBJECT_TESTS=all`, all tests that hold in every home; otherwise some of them. */
const hasAllObjectTests = process.env['CI'] || process.env['OBJECT_TESTS'] === 'all'
const objectTests = [...representative, ...(hasAllObjectTests ? others : [])].map((file) => `test/${file}.test.ts`)

export default defineConfig(async () => ({
  test: {
    reporters: ['default', summary],
    sequence: { sequencer: SlowestFirst },
    // Work of an earlier file that hangs on purpose, and that the reset between files aborts: see support/fresh.ts.
    onUnhandledError: ({ message }: { message?: string }) =>
      message?.includes('called deleteAllDurableObjects()') ? false : undefined,
    projects: [
      workerProject('worker', process.env['TEST_HOME'] ?? 'd1', workerTests),
      workerProject('objects', 'object', objectTests),
      {
        test: {
          name: 'repository',
          env: { TMPDIR: diskFolder },
          include: ['test/repository/**/*.test.ts'],
          exclude: leftOut,
          // Some tests read all files, and the machine may be busy.
          testTimeout: 60_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'e2e',
          env: { TMPDIR: diskFolder, SERVICE_DATA: dataFolder },
          globalSetup: ['test/e2e/service-setup.ts'],
          setupFiles: ['test/e2e/setup.ts'],
          // Files share a process with its modules and its browser.
          isolate: false,
          include: ['test/e2e/**/*.test.ts'],
          exclude: leftOut,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry,
          expect: polls,
          // Most of the time, these tests wait for processes to start and for pages to be drawn.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
}))
