import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Crockford's letters, as the ids of the service have them. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'
const idLength = 26
const createRequestId = () =>
  `req_${Array.from(randomBytes(idLength), (byte) => letters[byte % letters.length]).join('')}`

interface Problem {
  code: string
  title: string
  status: number
  detail: string
}

/** Responds with a problem document, like those of the Worker. */
function respond(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  headers: Record<string, string>,
) {
  const requestId = createRequestId()
  const body = JSON.stringify({ type: `/docs/errors#${problem.code}`, ...problem, requestId })
  request.resume()
  response.writeHead(problem.status, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'request-id': requestId,
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

const unavailable = {
  code: 'unavailable',
  title: 'Unavailable',
  status: 503,
  detail: 'The service is starting again. Repeat the request.',
} as const
/** Answers a request while the service cannot take it. */
export const respondUnavailable = (request: IncomingMessage, response: ServerResponse) =>
  respond(request, response, unavailable, { 'retry-after': '1' })

const unknownPath = { code: 'not_found', title: 'Not found', status: 404, detail: 'Unknown path.' } as const
/** Answers a request for a path that the server keeps from others. */
export const respondUnknownPath = (request: IncomingMessage, response: ServerResponse) =>
  respond(request, response, unknownPath, {})
