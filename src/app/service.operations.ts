import {
  type ApiOperation,
  type ApiResponse,
  createPageResponseSpec,
  type OperationGroup,
} from '../platform/http/openapi/operation.ts'

/** A file of the documentation. */
const file = (id: string, path: string, summary: string, response: ApiResponse): ApiOperation => ({
  id,
  method: 'get',
  path,
  summary,
  access: 'anyone',
  condition: 'If-None-Match',
  problems: ['unavailable'],
  responses: { 200: response },
})

/** Operations of the service itself. */
export default {
  name: 'Service',
  description: 'Health and documentation of the service.',
  operations: [
    {
      id: 'checkHealth',
      method: 'get',
      path: '/health',
      summary: 'Check whether the service is ready',
      access: 'anyone',
      responses: {
        200: {
          description: 'The service and its database respond, and the database has all migrations of this release.',
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
    file('readLanding', '/', 'Read the landing page', createPageResponseSpec('The landing page.', ['ETag'])),
    file('readReference', '/docs', 'Read the API reference', createPageResponseSpec('The API reference.', ['ETag'])),
    file('readTry', '/docs/try', 'Open the page to try requests', createPageResponseSpec('The page.', ['ETag'])),
    file(
      'readGuides',
      '/docs/guides',
      'Read the list of guides',
      createPageResponseSpec('The list of guides.', ['ETag']),
    ),
    {
      ...file('readGuide', '/docs/guides/:guide', 'Read a guide, or a picture of one', {
        ...createPageResponseSpec('The guide.', ['ETag']),
        otherContent: { 'image/png': {}, 'image/jpeg': {} },
      }),
      problems: ['not_found', 'unavailable'],
    },
    file(
      'readErrors',
      '/docs/errors',
      'Read the list of error codes',
      createPageResponseSpec('The list of error codes.', ['ETag']),
    ),
    file('retrieveOpenapi', '/openapi.json', 'Retrieve the OpenAPI document', {
      description: 'The OpenAPI 3.1 document.',
      schema: { type: 'object' },
      headers: ['ETag'],
    }),
    file('readLlms', '/llms.txt', 'Retrieve a summary for language models', {
      description: 'The summary in Markdown.',
      schema: { type: 'string' },
      contentType: 'text/plain',
      headers: ['ETag'],
    }),
    file('readRobots', '/robots.txt', 'Retrieve the rules for robots', {
      description: 'The rules (RFC 9309).',
      schema: { type: 'string' },
      contentType: 'text/plain',
      headers: ['ETag'],
    }),
  ],
} satisfies OperationGroup
