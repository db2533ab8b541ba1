import type * as z from 'zod'
import { objectDescriptions, withDescriptions } from '../../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import {
  createDeletionResponse,
  createDeletionSchema,
  createListResponse,
  type OperationGroup,
} from '../../../platform/http/openapi/operation.ts'
import { pageQuery } from '../../../platform/http/pagination.ts'
import { maxPlatformKeys } from './operator-statements.ts'
import { platformKeySchemas } from './platform-key-routes.ts'

const created = {
  title: 'Billing',
  scopes: ['platform:merchants:read', 'platform:usage:read'],
} satisfies z.core.input<typeof platformKeySchemas.create>
const key = {
  ...created,
  id: exampleId('key'),
  prefix: 'sk_platform_',
  last4: '8W2K',
  createdBy: exampleId('opr'),
  createdAt: exampleSeconds,
} satisfies z.core.output<typeof platformKeySchemas.view>

export default {
  name: 'Platform keys',
  description:
    'Keys for programs of the operator, such as billing: `sk_platform_…` in place of `ADMIN_TOKEN`, with few rights. No platform key reads data of merchants or creates keys.',
  schemas: {
    PlatformKey: withDescriptions(outputSchema(platformKeySchemas.view), objectDescriptions),
    PlatformKeyFull: withDescriptions(outputSchema(platformKeySchemas.full), objectDescriptions),
    PlatformKeyCreate: inputSchema(platformKeySchemas.create),
    PlatformKeyDeleted: createDeletionSchema('Key deleted', ref('PlatformKey')),
  },
  operations: [
    {
      id: 'listPlatformKeys',
      method: 'get',
      path: '/admin/keys',
      summary: 'List the platform keys',
      access: 'operator',
      query: pageQuery,
      responses: { 200: createListResponse(ref('PlatformKey'), key) },
    },
    {
      id: 'createPlatformKey',
      method: 'post',
      path: '/admin/keys',
      summary: 'Create a platform key',
      description: `Returns the key once. Requires the role \`admin\`. There are at most ${maxPlatformKeys} platform keys. They stay when the operator who created them is removed.`,
      access: 'operator',
      body: ref('PlatformKeyCreate'),
      example: created,
      responses: {
        201: {
          description: 'The key.',
          schema: ref('PlatformKeyFull'),
          example: { ...key, key: 'sk_platform_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE08W2K' },
        },
      },
      problems: ['assertion_required', 'too_many'],
    },
    {
      id: 'deletePlatformKey',
      method: 'delete',
      path: '/admin/keys/:keyId',
      summary: 'Revoke a platform key',
      description: 'Takes effect with the next request.',
      access: 'operator',
      responses: { 200: createDeletionResponse('key', ref('PlatformKeyDeleted'), key) },
      problems: ['not_found'],
    },
  ],
} satisfies OperationGroup
