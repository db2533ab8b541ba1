import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Checkout, createCheckout } from './checkout.ts'
import { runCommand } from './command.ts'
import { takeShare } from './rounds.ts'

let checkout: Checkout
const files = { config: '', example: '' }
beforeAll(async () => {
  checkout = await createCheckout()
  files.config = await readFile(checkout.path('wrangler.toml'), 'utf8')
  files.example = await readFile(checkout.path('.dev.vars.example'), 'utf8')
})
beforeEach(async () => {
  await writeFile(checkout.path('wrangler.toml'), files.config)
  await writeFile(checkout.path('.dev.vars'), files.example)
})
afterAll(() => checkout.remove())

const run = (command: string, ...flags: readonly string[]) =>
  runCommand(checkout.folder, process.execPath, `tools/cli/${command}.ts`, ...flags)
const refused = (reason: string) => ({
  code: 2,
  output: `PUBLIC_BASE_URL ${reason}: it must be like https://menu.example.com.\n`,
})

test.each(['deploy', 'dev'])(
  '%s rejects a PUBLIC_BASE_URL that is not an origin before it does anything',
  async (command) => {
    expect(await run(command, '--var', 'PUBLIC_BASE_URL:menu.example.com')).toEqual(refused('has no scheme'))
    expect(await run(command, '--var', 'A:b', 'PUBLIC_BASE_URL:https://menu.example.com/a')).toEqual(
      refused('contains a path'),
    )
    await writeFile(checkout.path('wrangler.toml'), `${files.config}\n[vars]\nPUBLIC_BASE_URL = "menu.example.com"\n`)
    expect(await run(command)).toEqual(refused('has no scheme'))
  },
)

test('dev checks the value of .dev.vars, which overrides wrangler.toml', async () => {
  await writeFile(checkout.path('wrangler.toml'), `${files.config}\n[vars]\nPUBLIC_BASE_URL = "menu.example.com"\n`)
  await writeFile(checkout.path('.dev.vars'), `${files.example}\nPUBLIC_BASE_URL=https://menu.example.com/a\n`)
  expect(await run('dev')).toEqual(refused('contains a path'))
})

describe('deploy with an environment', () => {
  const staging = `
[[env.staging.d1_databases]]
binding = "DB"
database_name = "staging-database"
[[env.staging.kv_namespaces]]
binding = "TAGS"
[[env.staging.r2_buckets]]
binding = "MEDIA"
bucket_name = "staging-media"
[[env.staging.r2_buckets]]
binding = "BACKUPS"
bucket_name = "staging-backups"
[[env.staging.durable_objects.bindings]]
name = "HOMES"
class_name = "MerchantHome"
${['DELIVERIES', 'DELIVERIES_SLOW', 'IMPORTS', 'SCANS', 'BACKUP_CHECKS', 'MOVES']
  .map((binding) => {
    const queue = `queue = "staging-${binding.toLowerCase().replace('_', '-')}"`
    return `[[env.staging.queues.producers]]\nbinding = "${binding}"\n${queue}\n[[env.staging.queues.consumers]]\n${queue}`
  })
  .join('\n')}
`
  /** In place of wrangler: records its arguments, and lacks every resource. */
  const recorder = `
import { appendFileSync } from 'node:fs'
const args = process.argv.slice(2)
appendFileSync('calls', args.join(' ') + '\\n')
process.exitCode = args.includes('info') ? 1 : 0
`
  beforeAll(async () => {
    const folder = checkout.path('node_modules')
    await rm(folder)
    await mkdir(join(folder, 'wrangler/bin'), { recursive: true })
    for (const name of await readdir('node_modules'))
      if (name !== 'wrangler') await symlink(resolve('node_modules', name), join(folder, name))
    await writeFile(join(folder, 'wrangler/bin/wrangler.js'), recorder)
    await writeFile(join(folder, 'wrangler/package.json'), '{"type": "module"}')
  })
  beforeEach(() => writeFile(checkout.path('calls'), ''))
  const readCalls = async () => (await readFile(checkout.path('calls'), 'utf8')).split('\n').slice(0, -1)

  const forms = [
    ['--env', 'staging'],
    ['--env=staging', '--var', 'A:b'],
    ['-e', 'staging'],
  ]
  test.each(takeShare(forms, 3))('reaches its resources only: %s %s', async (...flags) => {
    await writeFile(checkout.path('wrangler.toml'), files.config + staging)
    const { code, output } = await run('deploy', ...flags)
    expect([code, output]).toEqual([0, expect.stringContaining('Read replication of the database staging-database')])
    const calls = await readCalls()
    const deployed = `deploy ${flags.join(' ')}`
    expect(calls.filter((call) => !call.endsWith(' --env staging') && call !== deployed)).toEqual([])
    const made = calls.flatMap((call) => / create (\S+)/.exec(call)?.[1] ?? [])
    expect(made).toHaveLength(9)
    expect(made.filter((name) => !name.startsWith('staging-'))).toEqual([])
    expect(calls.slice(-2)).toEqual(['d1 migrations apply DB --remote --env staging', deployed])
  })

  test('that CLOUDFLARE_ENV names reaches its resources only', async () => {
    await writeFile(checkout.path('wrangler.toml'), files.config + staging)
    const words = ['CLOUDFLARE_ENV=staging', process.execPath, 'tools/cli/deploy.ts']
    expect((await runCommand(checkout.folder, 'env', ...words)).code).toBe(0)
    expect(await readCalls()).toContain('d1 create staging-database --env staging')
  })

  test('is refused before it does anything if the environment lacks bindings or does not exist', async () => {
    const [database = '', ...others] = staging.split('[[env.staging.kv_namespaces]]\nbinding = "TAGS"\n')
    const lines = (database + others.join('')).replace('[[env.staging.queues.consumers]]\nqueue = "staging-moves"', '')
    await writeFile(checkout.path('wrangler.toml'), files.config + lines)
    expect(await run('deploy', '--env', 'staging')).toEqual({
      code: 2,
      output:
        '[env.staging] of wrangler.toml lacks TAGS, a consumer of the queue staging-moves. Environments do not inherit bindings.\n',
    })
    expect(await run('deploy', '--env', 'stage')).toEqual({ code: 2, output: 'wrangler.toml has no [env.stage].\n' })
    expect(await run('deploy', '--env')).toEqual({ code: 2, output: '--env must have the name of an environment.\n' })
    expect(await readCalls()).toEqual([])
  })

  describe('the home of new merchants', () => {
    const readConfig = () => readFile(checkout.path('wrangler.toml'), 'utf8')
    const wrote = (home: string) => `${files.config}\n[vars]\nDEFAULT_HOME = "${home}"\n`

    /** Runs `deploy` in a terminal, whose keys are pressed when it asks. */
    async function runInTerminal(keys: readonly string[], environment: Readonly<Record<string, string>> = {}) {
      const line = `${process.execPath} tools/cli/deploy.ts`
      const { CI: _, ...others } = process.env
      const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
        cwd: checkout.folder,
        env: { ...others, ...environment },
      })
      let output = ''
      let asked = 0
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk
        const count = output.split('[d1]: ').length - 1
        for (; asked < count; asked++) child.stdin.write(keys[asked] ?? '\x04')
      })
      const [code] = await once(child, 'close')
      return { code, asked, output }
    }

    test.skipIf(process.platform !== 'linux')('is asked once in a terminal, and kept', async () => {
      const first = await runInTerminal(['objects\r', 'object\r'])
      expect(first).toMatchObject({ code: 0, asked: 2, output: expect.stringContaining('beyond 80 venues') })
      expect(await readConfig()).toBe(wrote('object'))
      expect(await runInTerminal([])).toMatchObject({ code: 0, asked: 0 })
      expect(await readConfig()).toBe(wrote('object'))
      expect((await readCalls()).filter((call) => call === 'deploy')).toHaveLength(2)
    })

    test.skipIf(process.platform !== 'linux')('is the shared database after Enter', async () => {
      expect(await runInTerminal(['\r'])).toMatchObject({ code: 0, asked: 1 })
      expect(await readConfig()).toBe(wrote('d1'))
    })

    test.skipIf(process.platform !== 'linux')('without an answer stops before anything is deployed', async () => {
      for (const key of ['\x03', '\x04'])
        expect(await runInTerminal([key])).toMatchObject({
          code: 1,
          output: expect.stringContaining('Nothing was deployed: the question has no answer.'),
        })
      expect([await readConfig(), await readCalls()]).toEqual([files.config, []])
    })

    test.skipIf(process.platform !== 'linux')('is not asked in CI', async () => {
      expect(await runInTerminal([], { CI: 'true' })).toMatchObject({ code: 0, asked: 0 })
      expect(await readConfig()).toBe(files.config)
    })

    test('is not asked without a terminal, and that of --home is kept', async () => {
      expect((await run('deploy', '--home', 'object', '--minify')).code).toBe(0)
      expect(await readConfig()).toBe(wrote('object'))
      expect((await readCalls()).at(-1)).toBe('deploy --minify')
      expect((await run('deploy', '--home=d1')).code).toBe(0)
      expect((await run('deploy')).code).toBe(0)
      expect(await readConfig()).toBe(wrote('d1'))
    })

    test('that is neither d1 nor object is rejected before anything is deployed', async () => {
      for (const flags of [['--home', 'objects'], ['--home']])
        expect(await run('deploy', ...flags)).toEqual({ code: 2, output: '--home must be d1 or object.\n' })
      await writeFile(checkout.path('wrangler.toml'), wrote('objects'))
      expect(await run('deploy')).toEqual({ code: 2, output: 'DEFAULT_HOME in wrangler.toml must be d1 or object.\n' })
      expect(await readCalls()).toEqual([])
    })
  })

  test('as a dry run changes nothing', async () => {
    await writeFile(checkout.path('wrangler.toml'), files.config + staging)
    expect((await run('deploy', '--env', 'staging', '--dry-run', '--home', 'object')).code).toBe(0)
    expect(await readCalls()).toEqual(['deploy --env staging --dry-run'])
    expect(await readFile(checkout.path('wrangler.toml'), 'utf8')).toBe(files.config + staging)
  })

  test('without one, the resources outside all environments are reached', async () => {
    await writeFile(checkout.path('wrangler.toml'), files.config + staging)
    expect((await run('deploy', '--env', '')).code).toBe(0)
    const calls = await readCalls()
    expect(calls).toContain('d1 create merchant-ordering-api --env ')
    expect((await run('deploy')).code).toBe(0)
    const rest = (await readCalls()).slice(calls.length)
    expect(rest).toEqual(calls.map((call) => call.replace(' --env ', '')))
  })
})
