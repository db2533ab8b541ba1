import { inject } from 'vitest'
import { createCalls, createService } from '../support/service.ts'
import type { SharedService } from './service-setup.ts'

async function readSetup(path: string) {
  const response = await fetch(inject('sharedServiceUrl') + path)
  if (!response.ok) throw new Error(await response.text())
  return JSON.parse(await response.text())
}
const readShared = (): Promise<SharedService> => readSetup('/')

/** Starts a service for a test file that stops it or reads its storage. */
export const startService = async (variables?: Readonly<Record<string, string>>) =>
  createService(await readSetup('/migrated'), variables)

/** Returns the folder in which the packed command line is installed, and nothing else. */
export const findInstalledCommandLine = (): Promise<string> => readSetup('/command-line')

/** Returns the program of the server for a machine of one's own. */
export const findServer = (): Promise<string> => readSetup('/server')

/**
 * Calls to the service that end-to-end files share. A test creates merchants of its own and does not stop the service: a test
 * that does starts its own with `startService`.
 */
export async function connectService() {
  const { origin, adminToken, state } = await readShared()
  return {
    ...createCalls(origin, adminToken),
    state,
    /** Returns the log of the service so far, with the lines that other files caused. */
    readLog: async () => (await readShared()).output,
  }
}
export type ConnectedService = Awaited<ReturnType<typeof connectService>>
