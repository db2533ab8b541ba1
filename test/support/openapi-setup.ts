import { env } from 'cloudflare:workers'
import { app } from '../../src/app.ts'
import worker from '../../src/index.ts'
import { createContractCheck } from './openapi-contract.ts'

const insist = createContractCheck(await (await env.ASSETS.fetch('https://assets/openapi.json')).json())
const [answer, serve] = [app.fetch, worker.fetch]
const judged = new WeakSet<Response>()

async function judge(request: Request, response: Response): Promise<Response> {
  if (!judged.has(response)) await insist(request, response.clone())
  judged.add(response)
  return response
}

// Whatever a test asks the service, by whatever way, the document has to tell of the answer.
app.fetch = async (request, ...rest) => judge(request, await answer(request, ...rest))
worker.fetch = async (request, ...rest) => judge(request, await serve(request, ...rest))
