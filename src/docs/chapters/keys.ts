import type * as z from 'zod'
import { keySchemas } from '../../admin/key-routes.ts'
import { pageQuery } from '../../http/pagination.ts'
import { exampleId, exampleSeconds } from '../examples.ts'
import { type Chapter, envelope, envelopeAnswer, listAnswer } from '../operations.ts'
import { inputSchema, outputSchema, ref } from '../schemas.ts'
import { keyTexts, withTexts } from '../texts.ts'

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

export const keysChapter = (): Chapter => {
  const { create, roll, view, full } = keySchemas
  const collection = '/admin/merchants/:merchantId/keys'
  const once = (description: string) => ({ 201: { description, schema: ref('KeyFull'), example: whole } })
  return {
    name: 'Keys',
    description: "API keys to a merchant's data.",
    schemas: {
      KeyCreate: withTexts(inputSchema(create), keyTexts),
      KeyRoll: inputSchema(roll),
      Key: withTexts(outputSchema(view), keyTexts),
      KeyFull: withTexts(outputSchema(full), keyTexts),
      KeyDeleted: envelope('Key deleted', {
        ...withTexts(outputSchema(view), keyTexts),
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
        answers: { 200: listAnswer(ref('Key'), key) },
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
        answers: once('The new key.'),
      },
      {
        id: 'deleteKey',
        method: 'delete',
        path: `${collection}/:keyId`,
        summary: 'Revoke a key',
        access: 'operator',
        answers: { 200: envelopeAnswer('key', ref('KeyDeleted'), key) },
      },
      {
        id: 'rollKey',
        method: 'post',
        path: `${collection}/:keyId/roll`,
        summary: 'Make a new key like another, which expires after the overlap',
        access: 'operator',
        body: ref('KeyRoll'),
        example: { overlap: 3_600 },
        answers: once('The new key.'),
        problems: ['conflict', 'damaged'],
      },
    ],
  }
}
