/** What a guest reads when a tag leads nowhere. */
const page = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(`<!doctype html><html lang="en"><title>${text}</title><h1>${text}</h1>`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      ...headers,
    },
  })

export const deletedPage = () => page(410, 'This code is no longer in use.')
export const unknownPage = () => page(404, 'This code is unknown.')
export const limitedPage = () => page(429, 'Too many unknown codes.', { 'retry-after': '60' })
export const unavailablePage = () => page(503, 'The menu cannot be reached just now.', { 'retry-after': '5' })
