import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { createMigratedState, createService, type Service } from '../support/service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Returns a `SharedService` as JSON, once the service runs; with the path `/migrated`, a folder as JSON. */
    sharedServiceUrl: string
  }
}

/** Data of the shared service for end-to-end files. */
export interface SharedService {
  origin: string
  /** Its log so far. */
  output: string
  /** The folder that holds its data. */
  state: string
}

/**
 * Runs one service for all end-to-end files that call `connectService`. Each start costs about 5 seconds of CPU time. Services of a
 * file's own start from a copy of one migrated database. The first request creates what it needs.
 */
export default async function setup(project: TestProject) {
  let migrated: Promise<string> | undefined
  let service: Promise<Service> | undefined
  const getMigrated = () => (migrated ??= createMigratedState())
  async function getShared(): Promise<SharedService> {
    service ??= getMigrated().then(createService)
    const { origin, output, state } = await service
    return { origin, output: output(), state }
  }
  const server = createServer((request, response) => {
    const found = request.url === '/migrated' ? getMigrated() : getShared()
    found.then(
      (value) => response.end(JSON.stringify(value)),
      (error) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  project.provide('sharedServiceUrl', `http://127.0.0.1:${address.port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await (await service?.catch(() => undefined))?.close()
    const state = await migrated?.catch(() => undefined)
    if (state !== undefined) await rm(state, { recursive: true, force: true })
  }
}
