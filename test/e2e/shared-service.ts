import { inject } from 'vitest'
import { createCalls } from '../support/service.ts'
import type {} from './service-setup.ts'

/**
 * Calls to the service that end-to-end files share. A test creates merchants of its own, and neither stops the service
 * nor reads its log: a test that does starts its own with `createService`.
 */
export async function connectService() {
  const response = await fetch(inject('sharedServiceUrl'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return createCalls(text)
}
