import { pageQuery } from '../../core/pagination.ts'
import { keySchemas } from '../../merchants/keys.ts'
import { type Chapter, envelope, listAnswer } from '../operations.ts'
import { inputSchema, outputSchema, ref } from '../schemas.ts'

export const keysChapter = (): Chapter => {
  const { create, roll, view, full } = keySchemas
  const collection = '/admin/merchants/:merchantId/keys'
  const once = (description: string) => ({ 201: { description, schema: ref('KeyFull') } })
  return {
    name: 'Keys',
    description: "API keys to a merchant's data.",
    schemas: {
      KeyCreate: inputSchema(create),
      KeyRoll: inputSchema(roll),
      Key: outputSchema(view),
      KeyFull: outputSchema(full),
      KeyDeleted: envelope('Key deleted', ref('Key')),
    },
    operations: [
      {
        id: 'listKeys',
        method: 'get',
        path: collection,
        summary: 'List the keys of a merchant',
        access: 'operator',
        query: pageQuery,
        answers: { 200: listAnswer(ref('Key')) },
      },
      {
        id: 'createKey',
        method: 'post',
        path: collection,
        summary: 'Create a key to a merchant',
        access: 'operator',
        body: ref('KeyCreate'),
        answers: once('The new key.'),
      },
      {
        id: 'deleteKey',
        method: 'delete',
        path: `${collection}/:keyId`,
        summary: 'Revoke a key',
        access: 'operator',
        answers: { 200: { description: 'The key as it was.', schema: ref('KeyDeleted') } },
      },
      {
        id: 'rollKey',
        method: 'post',
        path: `${collection}/:keyId/roll`,
        summary: 'Make a new key like another, which expires after the overlap',
        access: 'operator',
        body: ref('KeyRoll'),
        answers: once('The new key.'),
        problems: ['conflict'],
      },
    ],
  }
}
