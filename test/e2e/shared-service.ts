import { inject } from 'vitest'
import { createCalls } from '../support/service.ts'
import type { SharedService } from './service-setup.ts'

async function readShared(): Promise<SharedService> {
  const response = await fetch(inject('sharedServiceUrl'))
  if (!response.ok) throw new Error(await response.text())
  return JSON.parse(await response.text())
}

/**
 * Calls to the service that end-to-end files share. A test creates merchants of its own and does not stop the service: a test
 * that does starts its own with `createService`.
 */
export async function connectService() {
  const { origin } = await readShared()
  return {
    ...createCalls(origin),
    /** Returns the log of the service so far, with the lines that other files caused. */
    readLog: async () => (await readShared()).output,
  }
}
export type ConnectedService = Awaited<ReturnType<typeof connectService>>
