import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Api } from './call.ts'
import { type ApiDocument, parseDocument } from './document.ts'
import { type Caller, createServer } from './tools.ts'

interface Bindings {
  /** The API. */
  API: Api
}

/** Time for which an isolate keeps the document, in milliseconds. */
const documentMs = 60_000
/** Maximum size of a request in bytes. A body of the API has up to 262,144. */
const maxRequestBytes = 524_288

let cached: { document: ApiDocument; readAtMs: number } | undefined
async function readDocument(api: Api, origin: string): Promise<ApiDocument> {
  if (cached && Date.now() - cached.readAtMs < documentMs) return cached.document
  const response = await api.fetch(new Request(new URL('/openapi.json', origin)))
  if (!response.ok) {
    await response.body?.cancel()
    if (cached) return cached.document
    throw new Error(`/openapi.json returned ${response.status}`)
  }
  cached = { document: parseDocument(await response.json()), readAtMs: Date.now() }
  return cached.document
}

const endpoint = /^\/mcp(?:\/([A-Za-z0-9_]{1,64}))?$/

/** Rejects pages of other origins, so that they cannot reach a server on the reader's machine. Programs do not send an origin. */
const isForeign = (request: Request, host: string) => {
  const origin = request.headers.get('origin')
  return origin !== null && (!URL.canParse(origin) || new URL(origin).host !== host)
}

const reject = (status: number, error: string) => Response.json({ error }, { status })

export default {
  async fetch(request, { API: api }) {
    const { origin, host, pathname } = new URL(request.url)
    const [matched, merchantId] = endpoint.exec(pathname) ?? []
    if (matched === undefined) return reject(404, 'The endpoint is /mcp or /mcp/:merchantId.')
    if (isForeign(request, host)) return reject(403, 'Requests of pages of another origin are not accepted.')
    let document: ApiDocument
    try {
      document = await readDocument(api, origin)
    } catch (error) {
      console.error(JSON.stringify({ message: 'document not read', error: String(error) }))
      return reject(503, 'The API does not respond.')
    }
    const [authorization, address] = [request.headers.get('authorization'), request.headers.get('cf-connecting-ip')]
    const caller: Caller = { api, origin, merchantId, authorization, address }
    const handler = createMcpHandler(() => createServer(document, caller), { maxRequestBodySize: maxRequestBytes })
    const response = await handler.fetch(request)
    response.headers.set('cache-control', 'no-store')
    return response
  },
} satisfies ExportedHandler<Bindings>
