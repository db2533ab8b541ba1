import type * as z from 'zod'
import { keySchemas } from '../../admin/key-routes.ts'
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
  const once = (description: string) => ({ 201: { description, schema: ref('KeyFull'), example: whole } })
  return {
    name: 'Keys',
    description: "API keys to a merchant's data.",
    schemas: {
      KeyCreate: withDescriptions(inputSchema(create), keyDescriptions),
      KeyRoll: inputSchema(roll),
      Key: withDescriptions(outputSchema(view), keyDescriptions),
      KeyFull: withDescriptions(outputSchema(full), keyDescriptions),
      KeyDeleted: createDeletionSchema('Key deleted', {
        ...withDescriptions(outputSchema(view), keyDescriptions),
        required: ['id'],
        description: 'The key as it was. If its row was damaged, only its id.',
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
        summary: 'Create a key to a merchant',
        access: 'operator',
        body: ref('KeyCreate'),
        example: created,
        responses: once('The new key.'),
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
        summary: 'Make a new key like another, which expires after the overlap',
        access: 'operator',
        body: ref('KeyRoll'),
        example: { overlap: 3_600 },
        responses: once('The new key.'),
        problems: ['conflict', 'damaged'],
      },
    ],
  }
}
