import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createContractCheck } from '../support/openapi-contract.ts'

const file = join(resolve(import.meta.dirname, '../..'), 'public/openapi.json')
const checkContract = createContractCheck(JSON.parse(await readFile(file, 'utf8')))
const sendRequest = globalThis.fetch

/** Checks every response of the service against the document. Responses of others have no request id. */
globalThis.fetch = async (input, init) => {
  // A request object must not be consumed here.
  const request = input instanceof Request ? input : new Request(input, { method: init?.method ?? 'GET' })
  const response = await sendRequest(input, init)
  if (response.headers.get('request-id')?.startsWith('req_'))
    checkContract(request, response, await response.clone().arrayBuffer())
  return response
}
