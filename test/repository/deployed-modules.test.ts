import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { buildWorker, documentFiles } from '../../tools/cli/build/worker.ts'

const project = resolve(import.meta.dirname, '../..')
const sourceMap = z.object({ sources: z.array(z.string()) })

test('the deployed Worker contains no operations of the OpenAPI document', async () => {
  const modules = await buildWorker()
  const deployed = modules
    .filter(({ name }) => name.endsWith('.map'))
    .flatMap(({ contents }) => sourceMap.parse(JSON.parse(contents)).sources)
    .map((source) => relative(project, resolve(project, 'dist/worker', source)))
  expect(deployed.filter((file) => file.startsWith('src/')).length).toBeGreaterThan(300)
  expect(deployed).toContain('src/index.ts')
  expect(deployed.filter((file) => documentFiles.test(`/${file}`))).toEqual([])
})

test('a build fails that would deploy operations, or what they share', async () => {
  const files = globSync('src/**/*.ts', { cwd: project }).filter((file) => documentFiles.test(`/${file}`))
  expect(files.length).toBeGreaterThan(30)
  // The others import these.
  for (const file of ['src/admin/audit.operations.ts', 'src/platform/http/openapi/examples.ts']) {
    expect(files).toContain(file)
    await expect(buildWorker(resolve(project, file))).rejects.toThrow('must not be deployed')
  }
})
