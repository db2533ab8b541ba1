import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildServer, createOwnServer } from '../support/own-server.ts'
import { createMigratedState, createService, type Service } from '../support/service.ts'
import { runCommand } from './command.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Returns a `SharedService` as JSON, once the service runs; with the paths `/migrated`, `/command-line` and `/server`, a path as JSON. */
    sharedServiceUrl: string
  }
}

/** Data of the shared service for end-to-end files. */
export interface SharedService {
  origin: string
  adminToken: string
  /** Its log so far. */
  output: string
  /** The folder that holds its data. */
  state: string
}

/** Installs the packed command line in an empty folder. */
async function installCommandLine(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'installed-'))
  const packed = await runCommand('packages/cli', 'npm', 'pack', '--silent', '--pack-destination', folder)
  if (packed.code !== 0) throw new Error(packed.output)
  await writeFile(join(folder, 'package.json'), '{}')
  const installed = await runCommand(folder, 'sh', '-c', 'npm install --offline ./*.tgz')
  if (installed.code !== 0) throw new Error(installed.output)
  return folder
}

/** The server for a machine of one's own. Its webhooks may reach the receivers of tests. */
async function startOwnServer(program: string): Promise<Service> {
  const server = await createOwnServer(program, { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1', RATE_LIMITS: 'off' })
  await server.start()
  return server
}

/**
 * Runs one service for all end-to-end files that call `connectService`: with `SERVICE=own`, the server for a machine of one's own. Each start costs about 5 seconds of CPU time. Services of a
 * file's own start from a copy of one migrated database. The first request creates what it needs.
 */
export default async function setup(project: TestProject) {
  let migrated: Promise<string> | undefined
  let commandLine: Promise<string> | undefined
  let service: Promise<Service> | undefined
  let server: Promise<string> | undefined
  const getMigrated = () => (migrated ??= createMigratedState())
  const getCommandLine = () => (commandLine ??= installCommandLine())
  const getServer = () => (server ??= buildServer())
  async function getShared(): Promise<SharedService> {
    service ??= process.env['SERVICE'] === 'own' ? startOwnServer(await getServer()) : getMigrated().then(createService)
    const { origin, adminToken, output, state } = await service
    return { origin, adminToken, output: output(), state }
  }
  const makers: Record<string, () => Promise<unknown>> = {
    '/migrated': getMigrated,
    '/command-line': getCommandLine,
    '/server': getServer,
  }
  const endpoint = createServer((request, response) => {
    const found = (makers[request.url ?? ''] ?? getShared)()
    found.then(
      (value) => response.end(JSON.stringify(value)),
      (error) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  const address = endpoint.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  project.provide('sharedServiceUrl', `http://127.0.0.1:${address.port}`)
  return async () => {
    endpoint.close()
    endpoint.closeAllConnections()
    await (await service?.catch(() => undefined))?.close()
    for (const made of [migrated, commandLine]) {
      const folder = await made?.catch(() => undefined)
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    }
  }
}
