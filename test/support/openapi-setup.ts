import { env } from 'cloudflare:workers'
import { app } from '../../src/app.ts'
import worker from '../../src/index.ts'
import { createContractCheck } from './openapi-contract.ts'

const checkContract = createContractCheck(await (await env.ASSETS.fetch('https://assets/openapi.json')).json())
const [answer, serve] = [app.fetch, worker.fetch]
const judged = new WeakSet<Response>()

async function judge(request: Request, response: Response): Promise<Response> {
  if (!judged.has(response)) await checkContract(request, response.clone())
  judged.add(response)
  return response
}

// Checks every response in every test against the document.
app.fetch = async (request, ...rest) => judge(request, await answer(request, ...rest))
worker.fetch = async (request, ...rest) => judge(request, await serve(request, ...rest))
