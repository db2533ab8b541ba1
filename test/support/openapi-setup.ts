import { env } from 'cloudflare:workers'
import { app } from '../../src/app.ts'
import worker from '../../src/index.ts'
import { createContractCheck } from './openapi-contract.ts'

const checkContract = createContractCheck(await (await env.ASSETS.fetch('https://assets/openapi.json')).json())
const [fetchUnchecked, serveUnchecked] = [app.fetch, worker.fetch]
const checkedResponses = new WeakSet<Response>()

/** JSON is read once and returned from memory: a second stream of a body takes longer than the check. */
async function copyBody(response: Response): Promise<[checked: Response, returned: Response]> {
  const isJson = /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '')
  if (!isJson || response.body === null || response.headers.has('content-encoding')) return [response.clone(), response]
  const bytes = await response.arrayBuffer()
  return [new Response(bytes, response), new Response(bytes, response)]
}

async function checkOnce(request: Request, response: Response): Promise<Response> {
  if (checkedResponses.has(response)) return response
  const [checked, returned] = await copyBody(response)
  await checkContract(request, checked)
  checkedResponses.add(returned)
  return returned
}

// Checks every response in every test against the document.
app.fetch = async (request, ...rest) => checkOnce(request, await fetchUnchecked(request, ...rest))
worker.fetch = async (request, ...rest) => checkOnce(request, await serveUnchecked(request, ...rest))
