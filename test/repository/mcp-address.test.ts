import { expect, test } from 'vitest'
import { callOperation } from '../../packages/mcp/src/call.ts'

test('the MCP server passes the address of its client to the API, for keys with allowedIps', async () => {
  const sent: (string | null)[] = []
  const api = {
    fetch: async (request: Request) => {
      sent.push(request.headers.get('cf-connecting-ip'))
      return Response.json([])
    },
  }
  const operation = {
    ...{ id: 'listProducts', operationId: 'listProducts', method: 'get', path: '/health', tags: [], security: [] },
    ...{ summary: '', description: '', group: '', parameters: [], responses: {} },
  }
  for (const address of ['2001:db8::1', null]) {
    const caller = { origin: 'https://api.example', authorization: null, address }
    expect((await callOperation(api, operation, {}, caller)).status).toBe(200)
  }
  expect(sent).toEqual(['2001:db8::1', null])
})
