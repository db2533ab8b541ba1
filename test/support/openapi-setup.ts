import { env } from 'cloudflare:workers'
import { app } from '../../src/app/app.ts'
import worker from '../../src/index.ts'
import { createTagCheck } from './etag-contract.ts'
import { createContractCheck } from './openapi-contract.ts'

const checkContract = createContractCheck(await (await env.ASSETS.fetch('https://assets/openapi.json')).json())
const checkTag = createTagCheck()
const [fetchUnchecked, serveUnchecked] = [app.fetch, worker.fetch]
const checkedResponses = new WeakSet<Response>()

/** Returns the bytes of a response, and a response to return. JSON is read once: a second stream of a body takes longer than the check. */
async function readBody(response: Response): Promise<[bytes: ArrayBuffer, returned: Response]> {
  const isJson = /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '')
  if (!isJson || response.body === null || response.headers.has('content-encoding'))
    return [await response.clone().arrayBuffer(), response]
  const bytes = await response.arrayBuffer()
  return [bytes, new Response(bytes, response)]
}

async function checkOnce(request: Request, response: Response): Promise<Response> {
  if (checkedResponses.has(response)) return response
  const [bytes, returned] = await readBody(response)
  checkContract(request, response, bytes)
  await checkTag(request, response, bytes)
  checkedResponses.add(returned)
  return returned
}

// Checks every response in every test against the document, and that its entity tag covers what it contains.
app.fetch = async (request, ...rest) => checkOnce(request, await fetchUnchecked(request, ...rest))
worker.fetch = async (request, ...rest) => checkOnce(request, await serveUnchecked(request, ...rest))
