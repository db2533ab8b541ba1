import { type ApiOperation, type ApiResponse, createPageResponseSpec, type OperationGroup } from '../operation.ts'

/** What anyone may ask. */
export const createServiceGroup = (): OperationGroup => ({
  name: 'Service',
  description: 'The service itself; no key is needed.',
  operations: [
    {
      id: 'checkHealth',
      method: 'get',
      path: '/health',
      summary: 'Tell whether the service is ready',
      access: 'anyone',
      responses: {
        200: {
          description: 'The service and its database answer, and the database has every migration of this release.',
          schema: {
            type: 'object',
            properties: { status: { type: 'string', const: 'ok', description: 'Always `ok`.' } },
            required: ['status'],
          },
          example: { status: 'ok' },
        },
      },
      problems: ['misconfigured', 'unavailable'],
    },
    file('readLanding', '/', 'Read what this is', createPageResponseSpec('A page.', ['ETag'])),
    file('readReference', '/docs', 'Read this document', createPageResponseSpec('A page.', ['ETag'])),
    file('readErrors', '/docs/errors', 'Read what each error code means', createPageResponseSpec('A page.', ['ETag'])),
    file('retrieveOpenapi', '/openapi.json', 'Retrieve this document', {
      description: 'OpenAPI 3.1.',
      schema: { type: 'object' },
      headers: ['ETag'],
    }),
    file('readLlms', '/llms.txt', 'Retrieve this document in short, for language models', {
      description: 'Markdown.',
      schema: { type: 'string' },
      contentType: 'text/plain',
      headers: ['ETag'],
    }),
  ],
})

/** A file of the documentation. */
const file = (id: string, path: string, summary: string, answer: ApiResponse): ApiOperation => ({
  id,
  method: 'get',
  path,
  summary,
  access: 'anyone',
  condition: 'If-None-Match',
  problems: ['unavailable'],
  responses: { 200: answer },
})
