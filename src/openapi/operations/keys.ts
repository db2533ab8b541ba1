import type * as z from 'zod'
import { keySchemas } from '../../admin/key-schemas.ts'
import { pageQuery } from '../../http/pagination.ts'
import { keyDescriptions, withDescriptions } from '../descriptions.ts'
import { exampleId, exampleSeconds } from '../examples.ts'
import { inputSchema, outputSchema, ref } from '../json-schema.ts'
import { createDeletionResponse, createDeletionSchema, createListResponse, type OperationGroup } from '../operation.ts'

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

const whole = { ...key, key: 'sk_live_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE08W2K' }

export const createKeyGroup = (): OperationGroup => {
  const { create, roll, view, full } = keySchemas
  const collection = '/admin/merchants/:merchantId/keys'
  const showOnce = (description: string) => ({ 201: { description, schema: ref('KeyFull'), example: whole } })
  return {
    name: 'Keys',
    description: 'API keys for the data of a merchant.',
    schemas: {
      KeyCreate: withDescriptions(inputSchema(create), keyDescriptions),
      KeyRoll: inputSchema(roll),
      Key: withDescriptions(outputSchema(view), keyDescriptions),
      KeyFull: withDescriptions(outputSchema(full), keyDescriptions),
      KeyDeleted: createDeletionSchema('Key deleted', {
        ...withDescriptions(outputSchema(view), keyDescriptions),
        required: ['id'],
        description: 'The deleted key. If its row was damaged, only its id.',
      }),
    },
    operations: [
      {
        id: 'listKeys',
        method: 'get',
        path: collection,
        summary: 'List the keys of a merchant',
        access: 'operator',
        query: pageQuery,
        responses: { 200: createListResponse(ref('Key'), key) },
        problems: ['damaged'],
      },
      {
        id: 'createKey',
        method: 'post',
        path: collection,
        summary: 'Create a key for a merchant',
        access: 'operator',
        body: ref('KeyCreate'),
        example: created,
        responses: showOnce('The new key. Only this response shows it in full.'),
      },
      {
        id: 'deleteKey',
        method: 'delete',
        path: `${collection}/:keyId`,
        summary: 'Revoke a key',
        access: 'operator',
        responses: { 200: createDeletionResponse('key', ref('KeyDeleted'), key) },
      },
      {
        id: 'rollKey',
        method: 'post',
        path: `${collection}/:keyId/roll`,
        summary: 'Replace a key by a new one; the old key expires after the overlap',
        access: 'operator',
        body: ref('KeyRoll'),
        example: { overlap: 3_600 },
        responses: showOnce('The new key. Only this response shows it in full.'),
        problems: ['conflict', 'damaged'],
      },
    ],
  }
}
