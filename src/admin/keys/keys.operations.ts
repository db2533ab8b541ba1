import type * as z from 'zod'
import { describedInput, objectDescriptions, withDescriptions } from '../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import {
  type ApiOperation,
  createDeletionResponse,
  createDeletionSchema,
  createListResponse,
  type OperationGroup,
} from '../../platform/http/openapi/operation.ts'
import { pageQuery } from '../../platform/http/pagination.ts'
import { keySchemas } from './key-schemas.ts'

const created = {
  mode: 'live',
  scopes: ['products:read', 'events:write'],
  title: 'Point of sale',
} satisfies z.core.input<typeof keySchemas.create>

const key = {
  ...created,
  id: exampleId('key'),
  prefix: 'sk_live_',
  last4: '8W2K',
  createdAt: exampleSeconds,
} satisfies z.core.output<typeof keySchemas.view>

const keyWithSecret = { ...key, key: 'sk_live_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE08W2K' }

export const keyDescriptions = {
  id: objectDescriptions.id,
  createdAt: objectDescriptions.createdAt,
  mode: '`live`: the key accesses live objects. `test`: the key accesses test objects.',
  title: 'Purpose of the key.',
  scopes: 'Operations that the key allows.',
  allowedIps: 'Addresses from which the key and its sessions are accepted, in CIDR notation. Absent: all.',
  prefix: 'First characters of the key.',
  last4: 'Last four characters of the key.',
  expiresAt: 'Time when the key expires, in seconds since 1970-01-01 UTC. Absent: never.',
  lastUsedAt: 'Time of the last use, in seconds since 1970-01-01 UTC. Absent: not used yet.',
}

const showOnce = (description: string) => ({ 201: { description, schema: ref('KeyFull'), example: keyWithSecret } })

/** Operations on keys: for the operator, and for the merchant's own keys, which cannot grant more rights than their own. */
export function createKeyOperations(access: 'operator' | 'key'): readonly ApiOperation[] {
  const isOwn = access === 'key'
  const collection = isOwn ? '/merchants/:merchantId/keys' : '/admin/merchants/:merchantId/keys'
  const name = (id: string) => (isOwn ? id.replace('Key', 'OwnKey') : id)
  // An operation of the operator always has `not_found`.
  const unknown = isOwn ? (['not_found'] as const) : []
  const granted = (verb: 'read' | 'write') => (isOwn ? { access, scope: `keys:${verb}` } : { access })
  return [
    {
      id: name('listKeys'),
      method: 'get',
      path: collection,
      summary: 'List the keys of a merchant',
      ...granted('read'),
      query: pageQuery,
      responses: { 200: createListResponse(ref('Key'), key) },
      problems: ['damaged'],
    },
    {
      id: name('createKey'),
      method: 'post',
      path: collection,
      summary: 'Create a key for a merchant',
      ...granted('write'),
      body: ref('KeyCreate'),
      example: created,
      responses: showOnce('The new key. Only this response shows it in full.'),
      problems: ['assertion_required'],
    },
    {
      id: name('deleteKey'),
      method: 'delete',
      path: `${collection}/:keyId`,
      summary: 'Revoke a key',
      description: 'Ends its sessions and revokes the invitations that it created.',
      ...granted('write'),
      responses: { 200: createDeletionResponse('key', ref('KeyDeleted'), key) },
      problems: unknown,
    },
    {
      id: name('rollKey'),
      method: 'post',
      path: `${collection}/:keyId/roll`,
      summary: 'Replace a key with a new one; the old key expires after the overlap',
      ...granted('write'),
      body: ref('KeyRoll'),
      example: { overlap: 3_600 },
      responses: showOnce('The new key. Only this response shows it in full.'),
      problems: [...unknown, 'assertion_required', 'conflict', 'damaged'],
    },
  ]
}

const { create, roll, view, full } = keySchemas
export default {
  name: 'Keys',
  description: 'API keys for the data of a merchant.',
  schemas: {
    KeyCreate: describedInput(create, keyDescriptions),
    KeyRoll: inputSchema(roll),
    Key: withDescriptions(outputSchema(view), keyDescriptions),
    KeyFull: withDescriptions(outputSchema(full), keyDescriptions),
    KeyDeleted: createDeletionSchema('Key deleted', {
      ...withDescriptions(outputSchema(view), keyDescriptions),
      required: ['id'],
      description: 'The deleted key. If its row was damaged, only its id.',
    }),
  },
  operations: createKeyOperations('operator'),
} satisfies OperationGroup
