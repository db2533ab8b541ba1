import type * as z from 'zod'
import { operatorSessionView, operatorSignInFields } from '../../../src/admin/account/operator-session-routes.ts'
import { ownSessionView, sessionView, signInFields } from '../../../src/admin/account/session-views.ts'
import { maxOperatorSessions } from '../../../src/platform/auth/operator-sessions.ts'
import { sessionSeconds } from '../../../src/platform/auth/sessions.ts'
import { emptyQuery, pageQuery } from '../../../src/platform/http/pagination.ts'
import { daySeconds } from '../../../src/platform/lib/day.ts'
import { sessionDescriptions, withDescriptions } from '../descriptions.ts'
import { exampleId, exampleSeconds } from '../examples.ts'
import { inputSchema, outputSchema, ref } from '../json-schema.ts'
import {
  type ApiOperation,
  createDeletionResponse,
  createDeletionSchema,
  createListResponse,
  createPageResponseSpec,
  type OperationGroup,
} from '../operation.ts'
import { createPasskeyOperations, passkeySchemas } from './console/passkeys.ts'
import { createKeyOperations } from './keys.ts'
import { createMerchantOperations } from './merchants.ts'

const expiresAt = exampleSeconds + sessionSeconds.idle
const session = {
  id: exampleId('ses'),
  key: exampleId('key'),
  createdAt: exampleSeconds,
  lastUsedAt: exampleSeconds,
  expiresAt,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  current: true,
} satisfies z.core.output<typeof sessionView>

const { key: _key, ...operatorSession } = session
const ownSession = {
  id: exampleId('ses'),
  key: exampleId('key'),
  mode: 'live',
  scopes: ['products:write', 'stock:write'],
  expiresAt,
  merchant: { id: exampleId('mer'), name: 'Three Otters', timezone: 'Europe/Lisbon', currency: 'EUR' },
} satisfies z.core.output<typeof ownSessionView>
const { key: _ownKey, ...besidesKey } = ownSession
const memberSession = {
  ...besidesKey,
  user: { id: exampleId('usr'), name: 'Zoë Núñez', role: 'manager' },
} satisfies z.core.output<typeof ownSessionView>

const sessions = '/merchants/:merchantId/sessions'

export const createAccountGroup = (): OperationGroup => ({
  name: 'Account',
  description:
    'Settings, keys and sessions of a merchant, without the operator. A key has the scopes `merchant:…` and `keys:…` only if its `scopes` name them. A key cannot create or roll a key with more rights than its own.',
  schemas: {
    Session: withDescriptions(outputSchema(sessionView), sessionDescriptions),
    SessionDeleted: createDeletionSchema('Session deleted', ref('Session')),
  },
  operations: [
    ...createMerchantOperations('key'),
    ...createKeyOperations('key'),
    {
      id: 'listSessions',
      method: 'get',
      path: sessions,
      summary: 'List the sessions of the console',
      description:
        'Returns the sessions of the same key or member. With the scope `keys:read`, a key of live mode or an owner gets all sessions.',
      access: 'key',
      query: pageQuery,
      responses: { 200: createListResponse(ref('Session'), session) },
    },
    {
      id: 'deleteSession',
      method: 'delete',
      path: `${sessions}/:sessionId`,
      summary: 'End a session',
      description:
        'Takes effect within 60 seconds. Applies to sessions of the same key or member. With the scope `keys:write`, a key of live mode or an owner can end all sessions.',
      access: 'key',
      responses: { 200: createDeletionResponse('session', ref('SessionDeleted'), session) },
      problems: ['not_found'],
    },
  ],
})

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
export const createConsoleGroup = (): OperationGroup => ({
  name: 'Console',
  description:
    'Sign-in of the console, the web application at `/console`. Only pages of the same origin can use it: each request requires `Sec-Fetch-Site: same-origin`.',
  schemas: {
    SessionCreate: inputSchema(signInFields),
    OperatorSessionCreate: inputSchema(operatorSignInFields),
    OperatorSession: withDescriptions(outputSchema(operatorSessionView), sessionDescriptions),
    OperatorSessionDeleted: createDeletionSchema('Session deleted', ref('OperatorSession')),
    OwnSession: withDescriptions(outputSchema(ownSessionView), sessionDescriptions),
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
      problems: ['unauthenticated', 'forbidden', 'merchant_suspended', 'rate_limited', 'unavailable'],
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
      summary: 'Sign in as the operator',
      description:
        'Sets the cookie of a session that may use all operations under `/admin`. Without `token`, the assertion of Cloudflare Access counts. It has the same lifetime as a session of a merchant, and ends when `ADMIN_TOKEN` changes.',
      access: 'anyone',
      // A stored response would contain the token of the session.
      ignoresIdempotencyKey: true,
      body: ref('OperatorSessionCreate'),
      example: { token: 'EXAMPLE0EXAMPLE0EXAMPLE0' },
      responses: {
        201: { description: 'The session.', schema: ref('OperatorSession'), example: operatorSession },
      },
      problems: ['unauthenticated', 'forbidden', 'not_found', 'rate_limited', 'unavailable'],
    },
    {
      id: 'listOperatorSessions',
      method: 'get',
      path: '/admin/sessions',
      summary: 'List the sessions of the operator',
      description: `Newest first, at most ${maxOperatorSessions}.`,
      access: 'operator',
      query: emptyQuery,
      responses: {
        200: {
          description: 'The sessions.',
          schema: { type: 'array', items: ref('OperatorSession') },
          example: [operatorSession],
        },
      },
    },
    {
      id: 'deleteOperatorSession',
      method: 'delete',
      path: '/admin/sessions/:sessionId',
      summary: 'End a session of the operator',
      description: 'Takes effect immediately. Ending the session of the request deletes its cookie.',
      access: 'operator',
      responses: { 200: createDeletionResponse('session', ref('OperatorSessionDeleted'), operatorSession) },
    },
  ],
})
