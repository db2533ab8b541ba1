import type * as z from 'zod'
import { sessionSeconds } from '../../platform/auth/console-session.ts'
import { maxListedSessions } from '../../platform/auth/operator/operator-sessions.ts'
import { objectDescriptions, withDescriptions } from '../../platform/http/openapi/descriptions.ts'
import { exampleId } from '../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import {
  type ApiOperation,
  createArrayResponse,
  createDeletionResponse,
  createDeletionSchema,
  createPageResponseSpec,
  type OperationGroup,
} from '../../platform/http/openapi/operation.ts'
import { emptyQuery } from '../../platform/http/pagination.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { exampleSession } from './account.operations.ts'
import { operatorSessionView } from './operator-session-routes.ts'
import { operatorSignInFields } from './operators/operator-schemas.ts'
import { createPasskeyOperations, passkeySchemas } from './passkeys/passkeys.operations.ts'
import { ownSessionView, signInFields } from './session-views.ts'

const { key: _key, ...operatorSession } = exampleSession
export const exampleOperatorSession = operatorSession
const ownSession = {
  id: exampleId('ses'),
  key: exampleId('key'),
  mode: 'live',
  scopes: ['products:write', 'stock:write'],
  expiresAt: exampleSession.expiresAt,
  merchant: { id: exampleId('mer'), name: 'Three Otters', timezone: 'Europe/Lisbon', currency: 'EUR' },
} satisfies z.core.output<typeof ownSessionView>
const { key: _ownKey, ...besidesKey } = ownSession
const memberSession = {
  ...besidesKey,
  user: { id: exampleId('usr'), name: 'Zoë Núñez', role: 'manager' },
} satisfies z.core.output<typeof ownSessionView>

export const exampleSupportSession = {
  ...besidesKey,
  scopes: ['products:read', 'menus:read'],
  support: { operator: exampleId('opr'), name: 'Ana Reis', reason: 'Ticket 4711: prices of the lunch menu' },
} satisfies z.core.output<typeof ownSessionView>

/** A page of the console. All pages have the same content, because scripts render the screen of the path. */
const page = (id: string, path: string, summary: string): ApiOperation => ({
  id,
  method: 'get',
  path,
  summary,
  access: 'anyone',
  condition: 'If-None-Match',
  responses: {
    200: {
      ...createPageResponseSpec('The page of the console.', ['ETag']),
      otherContent: { 'text/javascript': { type: 'string' }, 'text/css': { type: 'string' } },
    },
  },
  problems: ['not_found', 'unavailable'],
})

const own = '/console/session'
export default {
  name: 'Console',
  description:
    'Sign-in of the console, the web application at `/console`. Only pages of the same origin can use it: each request requires `Sec-Fetch-Site: same-origin`.',
  schemas: {
    SessionCreate: inputSchema(signInFields),
    OperatorSessionCreate: inputSchema(operatorSignInFields),
    OperatorSession: withDescriptions(outputSchema(operatorSessionView), objectDescriptions),
    OperatorSessionDeleted: createDeletionSchema('Session deleted', ref('OperatorSession')),
    OwnSession: withDescriptions(outputSchema(ownSessionView), objectDescriptions),
    ...passkeySchemas,
  },
  operations: [
    page('readConsole', '/console', 'Read the console'),
    page('readConsoleScreen', '/console/:screen', 'Read a screen of the console, or a file'),
    page('readConsoleObject', '/console/:screen/:object', 'Read a screen of the console with an opened object'),
    {
      id: 'createSession',
      method: 'post',
      path: own,
      summary: 'Sign in with an API key',
      description: `Sets the cookie of a session with the scopes and the mode of the key. The session ends with the key, after ${sessionSeconds.idle / 3600} hours without use, and ${sessionSeconds.total / daySeconds} days after the sign-in.`,
      access: 'anyone',
      // A stored response would contain the token of the session.
      ignoresIdempotencyKey: true,
      body: ref('SessionCreate'),
      example: { key: 'sk_live_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE08W2K' },
      responses: { 201: { description: 'The session.', schema: ref('OwnSession'), example: ownSession } },
      problems: [
        'unauthenticated',
        'forbidden',
        'merchant_suspended',
        'address_not_allowed',
        'rate_limited',
        'unavailable',
      ],
    },
    {
      id: 'retrieveSession',
      method: 'get',
      path: own,
      summary: 'Retrieve the session of the cookie',
      access: 'session',
      responses: { 200: { description: 'The session.', schema: ref('OwnSession'), example: ownSession } },
    },
    {
      id: 'endSession',
      method: 'delete',
      path: own,
      summary: 'Sign out',
      access: 'session',
      responses: { 204: { description: 'The session has ended, and the cookie is deleted.' } },
    },
    ...createPasskeyOperations(memberSession),
    {
      id: 'createOperatorSession',
      method: 'post',
      path: '/console/operator',
      summary: 'Sign in as an operator',
      description:
        'Sets the cookie of a session for `/admin`, with the rights of the person’s role. Sends `token`, or `credential` for the passkey of an operator, with the options of `createPasskeyRequestOptions`. Without both, the assertion of Cloudflare Access counts. The session has the same lifetime as that of a merchant. It also ends when the person is removed, or when the service no longer accepts the token that started it.',
      access: 'anyone',
      // A stored response would contain the token of the session.
      ignoresIdempotencyKey: true,
      body: ref('OperatorSessionCreate'),
      example: { token: 'EXAMPLE0EXAMPLE0EXAMPLE0' },
      responses: {
        201: { description: 'The session.', schema: ref('OperatorSession'), example: operatorSession },
      },
      problems: [
        'unauthenticated',
        'forbidden',
        'not_found',
        'not_supported',
        'rate_limited',
        'misconfigured',
        'unavailable',
      ],
    },
    {
      id: 'listOperatorSessions',
      method: 'get',
      path: '/admin/sessions',
      summary: 'List the sessions of operators',
      description: `Newest first, at most ${maxListedSessions}. The role \`support\` sees only its own.`,
      access: 'operator',
      query: emptyQuery,
      responses: {
        200: createArrayResponse('The sessions.', ref('OperatorSession'), [operatorSession]),
      },
    },
    {
      id: 'deleteOperatorSession',
      method: 'delete',
      path: '/admin/sessions/:sessionId',
      summary: 'End a session of an operator',
      description: 'Takes effect immediately. Ending the session of the request deletes its cookie.',
      access: 'operator',
      responses: { 200: createDeletionResponse('session', ref('OperatorSessionDeleted'), operatorSession) },
    },
  ],
} satisfies OperationGroup
