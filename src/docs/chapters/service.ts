import { type Chapter, pageAnswer } from '../operations.ts'

/** What anyone may ask. */
export const serviceChapter = (): Chapter => ({
  name: 'Service',
  description: 'The service itself; no key is needed.',
  operations: [
    {
      id: 'checkHealth',
      method: 'get',
      path: '/health',
      summary: 'Tell whether the service is ready',
      access: 'anyone',
      answers: {
        200: {
          description: 'The service and its database answer.',
          schema: { type: 'object', properties: { status: { type: 'string', const: 'ok' } }, required: ['status'] },
        },
      },
      problems: ['unavailable'],
    },
    {
      id: 'retrieveOpenapi',
      method: 'get',
      path: '/openapi.json',
      summary: 'Retrieve this document',
      access: 'anyone',
      answers: { 200: { description: 'OpenAPI 3.1.', schema: { type: 'object' } } },
    },
    {
      id: 'readErrors',
      method: 'get',
      path: '/docs/errors',
      summary: 'Read what each error code means',
      access: 'anyone',
      answers: { 200: pageAnswer('A page.') },
    },
  ],
})
