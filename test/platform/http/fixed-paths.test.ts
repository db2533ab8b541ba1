import { expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'

test.each([
  ['/tags/sheet', 'GET, HEAD, OPTIONS'],
  ['/tags/sheet.pdf', 'GET, HEAD, OPTIONS'],
  ['/tags/sheet-link', 'POST, OPTIONS'],
])('%s is no id of a tag: other methods return 405 with Allow', async (path, allow) => {
  const venue = await createVenue()
  const options = await venue.request('OPTIONS', path)
  expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    if (allow.split(', ').includes(method)) continue
    const response = await venue.request(method, path, method === 'POST' ? {} : undefined)
    const { status, headers, body } = response
    expect([method, status, headers.get('allow'), body.code]).toEqual([method, 405, allow, 'method_not_allowed'])
  }
  expect((await venue.request('OPTIONS', '/tags/other')).headers.get('allow')).toBe('GET, HEAD, POST, DELETE, OPTIONS')
})
