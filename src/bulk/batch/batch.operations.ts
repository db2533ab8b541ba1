import * as z from 'zod'
import { exampleId } from '../../platform/http/openapi/examples.ts'
import { inputSchema, type JsonSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../platform/http/openapi/operation.ts'
import { problemSchema } from '../../platform/http/openapi/problem-schema.ts'
import { batchQuery } from './batch-routes.ts'
import { envelopeSchema, operationSchema } from './envelope.ts'
import { batchModes } from './operation.ts'

const example = {
  operations: [
    {
      op: 'upsert',
      resource: 'modifiers',
      externalId: 'MILK',
      ref: '#milk',
      body: { title: 'Milk', instructions: '' },
    },
    {
      op: 'create',
      resource: 'products',
      ref: '#latte',
      body: { title: 'Latte', price: '3.50', modifiers: ['#milk'] },
      details: { allergens: [], modifierRules: [{ modifier: '#milk', min: 1 }] },
    },
    {
      op: 'update',
      resource: 'menus',
      id: exampleId('menu'),
      body: { sections: [{ title: 'Coffee', items: ['#latte'] }] },
    },
    { op: 'delete', resource: 'coupons', externalId: 'OLD' },
  ],
} satisfies z.input<typeof envelopeSchema>

const response = {
  mode: 'atomic',
  changeSet: exampleId('chs'),
  results: [
    { index: 0, status: 201, id: exampleId('mod'), externalId: 'MILK', etag: '"1-5n8v2xk0"' },
    { index: 1, status: 201, id: exampleId('prod'), etag: '"1-9rj4t6wd"' },
    { index: 2, status: 200, id: exampleId('menu'), etag: '"7-2hqz8m1c"' },
    { index: 3, status: 200, id: exampleId('coup'), externalId: 'OLD' },
  ],
}

const resultSchema = z.object({
  index: z.int().meta({ description: 'Position of the operation in the batch, starting at 0.' }),
  status: z.int().meta({ description: 'Status that the single operation would have.' }),
  id: z
    .string()
    .meta({ description: 'Id of the object. Absent for creates of a dry run and for creates that fail.' })
    .optional(),
  externalId: z.string().meta({ description: 'External id of the object, if it has one.' }).optional(),
  etag: z
    .string()
    .meta({ description: 'Entity tag of the object after a create or an update, as in `ETag`.' })
    .optional(),
})
const resultsSchema = z.object({
  mode: z.enum(batchModes).meta({ description: 'Mode of the batch.' }),
  dryRun: z.literal(true).meta({ description: 'Present if nothing was changed.' }).optional(),
  changeSet: z
    .string()
    .meta({ description: 'Id of the change set of the batch, by which it can be undone. Absent if nothing changed.' })
    .optional(),
})

const addProperties = (schema: JsonSchema, properties: JsonSchema['properties']): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, ...properties },
})

/** The problem of one operation, like that of the single operation, without the id of the request. */
function operationProblemSchema(): JsonSchema {
  const { properties: { requestId: _, ...properties } = {}, required = [], ...schema } = problemSchema()
  return { ...schema, properties, required: required.filter((name) => name !== 'requestId') }
}

function createSchemas() {
  const { properties: { operations, ...properties } = {}, ...envelope } = inputSchema(envelopeSchema)
  const list = typeof operations === 'object' ? operations : {}
  const batchResponse = outputSchema(resultsSchema)
  return {
    Batch: { ...envelope, properties: { ...properties, operations: { ...list, items: ref('BatchOperation') } } },
    BatchOperation: inputSchema(operationSchema),
    BatchResults: {
      ...addProperties(batchResponse, {
        results: {
          type: 'array',
          description: 'Results in the order of the operations.',
          items: ref('BatchResult'),
        },
      }),
      required: ['mode', 'results'],
    },
    BatchResult: addProperties(outputSchema(resultSchema), {
      object: {
        type: 'object',
        description: 'The object as the single operation returns it, if `return=objects`.',
      },
      details: {
        type: 'object',
        description: 'Details after the operation, if `return=objects` and the operation has `details`.',
      },
      limits: {
        type: 'object',
        description: 'Limits after the operation, if `return=objects` and the operation has `limits`.',
      },
      problem: ref('OperationProblem'),
    }),
    OperationProblem: operationProblemSchema(),
  }
}

export default {
  name: 'Batch',
  description: 'Many operations in one request and one transaction.',
  schemas: createSchemas(),
  operations: [
    {
      id: 'runBatch',
      method: 'post',
      path: '/merchants/:merchantId/batch',
      summary: 'Run many operations in one transaction',
      description: [
        'Deletions come first, then creates and upserts, then updates, each in the given order, then the details and limits of all of them. Each operation is validated like the single operation. Unique values are compared in the state after the batch.',
        'In mode `atomic`, an operation that fails returns `422` `batch_failed` with the issues of all operations. In mode `independent`, the response is `200`, failed operations have a `problem`, and so do those that name an object of a failed operation.',
        'The changes belong to a change set: see `/changes`.',
      ].join(' '),
      access: 'key',
      scope: '<resource>:write',
      joinsChangeSet: true,
      query: batchQuery,
      body: ref('Batch'),
      example,
      responses: {
        200: { description: 'The results.', schema: ref('BatchResults'), example: response },
      },
      problems: ['batch_failed', 'batch_too_large'],
    },
  ],
} satisfies OperationGroup
