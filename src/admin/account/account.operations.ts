import type * as z from 'zod'
import { sessionSeconds } from '../../platform/auth/console-session.ts'
import { objectDescriptions, withDescriptions } from '../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import {
  createDeletionResponse,
  createDeletionSchema,
  createListResponse,
  type OperationGroup,
} from '../../platform/http/openapi/operation.ts'
import { pageQuery } from '../../platform/http/pagination.ts'
import { createKeyOperations } from '../keys/keys.operations.ts'
import { createMerchantOperations } from '../merchants.operations.ts'
import { sessionView } from './session-views.ts'

export const exampleSession = {
  id: exampleId('ses'),
  key: exampleId('key'),
  createdAt: exampleSeconds,
  lastUsedAt: exampleSeconds,
  expiresAt: exampleSeconds + sessionSeconds.idle,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  current: true,
} satisfies z.core.output<typeof sessionView>

const sessions = '/merchants/:merchantId/sessions'

export default {
  name: 'Account',
  description:
    'Settings, keys and sessions of a merchant, without the operator. A key has the scopes `merchant:…` and `keys:…` only if its `scopes` name them. A key cannot create or roll a key with more rights than its own.',
  schemas: {
    Session: withDescriptions(outputSchema(sessionView), objectDescriptions),
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
      responses: { 200: createListResponse(ref('Session'), exampleSession) },
    },
    {
      id: 'deleteSession',
      method: 'delete',
      path: `${sessions}/:sessionId`,
      summary: 'End a session',
      description:
        'Takes effect within 60 seconds. Applies to sessions of the same key or member. With the scope `keys:write`, a key of live mode or an owner can end all sessions.',
      access: 'key',
      responses: { 200: createDeletionResponse('session', ref('SessionDeleted'), exampleSession) },
      problems: ['not_found'],
    },
  ],
} satisfies OperationGroup
