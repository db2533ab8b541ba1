import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'
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
