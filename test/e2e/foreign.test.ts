import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/receiver.ts'
import type { Calls } from '../support/service.ts'
import { runCommand, startCommand } from './command.ts'
import { connectService } from './shared-service.ts'

/** Somebody else's project: their compiler, their client, and our document. */
let project: string
let service: Calls
const foreign = resolve('test/foreign')
const run = (program: string, ...args: string[]) => runCommand(project, join('node_modules/.bin', program), ...args)

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'foreign-'))
  service = await connectService()
  await symlink(join(foreign, 'node_modules'), join(project, 'node_modules'))
  await copyFile(join(foreign, 'package.json'), join(project, 'package.json'))
  await copyFile(join(foreign, 'journey.ts'), join(project, 'journey.ts'))
  const document = await fetch(`${service.origin}/openapi.json`)
  await writeFile(join(project, 'openapi.json'), await document.text())
})
afterAll(async () => {
  await rm(project, { recursive: true, force: true })
})

async function travel(origin: string) {
  const { id, key } = await service.createAccount()
  return await runCommand(project, process.execPath, 'journey.ts', origin, id, key)
}

test('openapi-typescript and openapi-fetch generate a client that compiles and works', async () => {
  expect(await run('openapi-typescript', 'openapi.json', '-o', 'schema.d.ts')).toMatchObject({ code: 0 })
  const strict = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--allowImportingTsExtensions']
  const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node', '--skipLibCheck']
  expect(await run('tsc', ...strict, ...types, 'journey.ts')).toEqual({ code: 0, output: '' })
  expect(await travel(service.origin)).toEqual({ code: 0, output: 'done\n' })
})

/** Sends the journey through a proxy that compares it with a document. Returns what the proxy printed, at least `wanted`. */
async function watch(document: string, wanted = '') {
  const port = await freePort()
  const args = ['proxy', document, service.origin, '--errors', '--port', String(port)]
  const proxy = startCommand(project, join('node_modules/.bin', 'prism'), ...args)
  try {
    await proxy.printed('Prism is listening')
    const journey = await travel(`http://127.0.0.1:${port}`)
    // The response precedes the line about it.
    await proxy.printed(wanted)
    return { journey, ...(await proxy.interrupt()) }
  } finally {
    proxy.kill()
  }
}

test('a validating proxy in front of the service finds no violations', async () => {
  const { journey, output } = await watch('openapi.json')
  expect(journey).toEqual({ code: 0, output: 'done\n' })
  expect(output.match(/violation/gi)).toBeNull()
})

test('the proxy rejects requests that violate the document', async () => {
  const document = JSON.parse(await readFile(join(project, 'openapi.json'), 'utf8'))
  document.components.schemas.Product.properties.title.type = 'integer'
  await writeFile(join(project, 'wrong.json'), JSON.stringify(document))
  const { journey, output } = await watch('wrong.json', '#VIOLATIONS')
  expect(journey.code).not.toBe(0)
  expect(output).toMatch(/violation/i)
})
