import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createContractCheck } from '../support/openapi-contract.ts'

const file = join(resolve(import.meta.dirname, '../..'), 'public/openapi.json')
const insist = createContractCheck(JSON.parse(await readFile(file, 'utf8')))
const ask = globalThis.fetch

/** Whatever a test asks the service, the document has to tell of the answer. Others are known by what they do not carry. */
globalThis.fetch = async (input, init) => {
  // A request that is given whole must not be used up here.
  const request = input instanceof Request ? input : new Request(input, { method: init?.method ?? 'GET' })
  const response = await ask(input, init)
  if (response.headers.get('request-id')?.startsWith('req_')) await insist(request, response.clone())
  return response
}
