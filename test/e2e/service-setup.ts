import { once } from 'node:events'
import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { createService, type Service } from '../support/service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Returns a `SharedService` as JSON, once the service runs. */
    sharedServiceUrl: string
  }
}

/** What end-to-end files read of the service that they share. */
export interface SharedService {
  origin: string
  /** Its log so far. */
  output: string
}

/**
 * Runs one service for all end-to-end files that call `connectService`. Each start costs about 8 seconds of CPU time.
 * The first request starts the service, so that a run of files that don't need it doesn't wait for it.
 */
export default async function setup(project: TestProject) {
  let service: Promise<Service> | undefined
  const server = createServer((_request, response) => {
    service ??= createService()
    service.then(
      ({ origin, output }) => {
        const shared: SharedService = { origin, output: output() }
        response.end(JSON.stringify(shared))
      },
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
  }
}
