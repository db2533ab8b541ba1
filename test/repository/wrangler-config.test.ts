import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'
import { writeHome } from '../../tools/cli/default-home.ts'
import { getLocalDatabaseId } from '../../tools/cli/migration/apply.ts'
import { getVariables, readWranglerConfig } from '../../tools/cli/wrangler-config.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wrangler-config-'))
})
afterAll(() => rm(folder, { recursive: true }))

const changes = {
  'of the project': '',
  'with an id': 'database_id = "4f6c1f5e-0000-4000-8000-000000000001"',
  'with an id for previews too': 'database_id = "one"\npreview_database_id = "two"',
}

describe.each(Object.entries(changes))('a configuration %s', (_, lines) => {
  test('names the local database and its variables as wrangler does', async () => {
    const file = join(folder, 'wrangler.toml')
    const toml = await readFile('wrangler.toml', 'utf8')
    const staging = '\n[env.staging.vars]\nPUBLIC_BASE_URL = "https://staging.example"\n'
    await writeFile(file, toml.replace('[[d1_databases]]', `[[d1_databases]]\n${lines}`) + staging)
    const config = await readWranglerConfig(file)
    const { workerOptions } = unstable_getMiniflareWorkerOptions(unstable_readConfig({ config: file }))
    expect(workerOptions.d1Databases).toEqual({ DB: expect.objectContaining({ id: getLocalDatabaseId(config) }) })
    for (const env of [undefined, 'staging'])
      expect(getVariables(config, env)).toEqual(unstable_readConfig({ config: file, ...(env && { env }) }).vars)
  })
})

describe('the home of new merchants in wrangler.toml', () => {
  test.each([
    ['a = 1\n', undefined, 'a = 1\n\n[vars]\nDEFAULT_HOME = "object"\n'],
    ['a = 1', undefined, 'a = 1\n\n[vars]\nDEFAULT_HOME = "object"'],
    ['[vars] # of all\nA = "b"\n', undefined, '[vars] # of all\nDEFAULT_HOME = "object"\nA = "b"\n'],
    ['[vars]\nDEFAULT_HOME="d1"\n\n[x]\n', undefined, '[vars]\nDEFAULT_HOME = "object"\n\n[x]\n'],
    [
      '[vars]\n\n[x]\nDEFAULT_HOME = "d1"\n',
      undefined,
      '[vars]\nDEFAULT_HOME = "object"\n\n[x]\nDEFAULT_HOME = "d1"\n',
    ],
    ['[vars]\n[env.a]\n', 'a', '[vars]\n[env.a]\n\n[env.a.vars]\nDEFAULT_HOME = "object"\n'],
    ['[env.a.vars]\r\nA = "b"\r\n', 'a', '[env.a.vars]\r\nDEFAULT_HOME = "object"\nA = "b"\r\n'],
  ])('is written into %j of the environment %j', (text, environment, written) => {
    expect(writeHome(text, environment, 'object')).toBe(written)
  })

  test.each([
    ['vars = { A = "b" }\n', undefined],
    ['[env.a]\nvars.A = "b"\n', 'a'],
    ['[vars]\nA = """\nDEFAULT_HOME = "d1"\n"""\n', undefined],
  ])('is left to the person if %j has its variables in another form', (text, environment) => {
    expect(() => writeHome(text, environment, 'object')).toThrow('of wrangler.toml, then deploy again: DEFAULT_HOME')
  })
})
