import { send } from '../../support/api.ts'

export const { body: document } = await send('/openapi.json')

export const documentation = {
  '/': 'text/html; charset=utf-8',
  '/docs': 'text/html; charset=utf-8',
  '/docs/try': 'text/html; charset=utf-8',
  '/docs/guides': 'text/html; charset=utf-8',
  '/docs/reference.js': 'text/javascript; charset=utf-8',
  '/docs/search.js': 'text/javascript; charset=utf-8',
  '/docs/sections.js': 'text/javascript; charset=utf-8',
  '/docs/start.js': 'text/javascript; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/openapi.json': 'application/json',
  '/event-types': 'application/json',
  '/docs/errors': 'text/html; charset=utf-8',
  '/docs/look.css': 'text/css; charset=utf-8',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/demo/banner.svg': 'image/svg+xml',
  '/demo/flat-white.svg': 'image/svg+xml',
}
