import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { writeCollection } from '../../tools/cli/collection.ts'
import { buildFiles } from '../../tools/openapi/build.ts'

let folder: string
const files = new Map<string, string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bruno-'))
  await writeCollection(folder)
  for (const name of await readdir(folder, { recursive: true })) {
    if (name.endsWith('.bru')) files.set(name, await readFile(join(folder, name), 'utf8'))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  requestBody: z.object({ content: z.record(z.string(), z.object({ example: z.unknown().optional() })) }).optional(),
})
const methods = ['get', 'post', 'put', 'delete']

test('has a request for every operation of the document that takes a key, with its address and example', async () => {
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(JSON.parse((await buildFiles())['openapi.json'] ?? ''))
  let count = 0
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods.filter((each) => each in item)) {
      const { operationId, security, requestBody } = operation.parse(item[method])
      const isIncluded = security.some((scheme) => 'key' in scheme || 'operator' in scheme)
      const json = requestBody?.content['application/json']
      if (!isIncluded || (requestBody && !json)) continue
      const [, request = ''] = [...files].find(([name]) => name.endsWith(`/${operationId}.bru`)) ?? []
      expect(request).toContain(`${method} {\n  url: {{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}\n`)
      const [, body] = /^body:json \{\n([\s\S]*?)\n\}$/m.exec(request) ?? []
      expect([operationId, body === undefined ? undefined : JSON.parse(body)]).toEqual([
        operationId,
        json === undefined ? undefined : (json.example ?? {}),
      ])
      count++
    }
  }
  expect(count).toBeGreaterThan(60)
  expect(files.size).toBe(count + 2)
})

test('sends the key of the environment, and the secret of the operator only where it is needed', () => {
  expect(files.get('collection.bru')).toContain('token: {{key}}')
  for (const [name, request] of files) {
    if (name.startsWith('environments/') || name === 'collection.bru') continue
    expect([name, request.includes('{{adminToken}}')]).toEqual([name, request.includes('{{baseUrl}}/admin/')])
  }
})
