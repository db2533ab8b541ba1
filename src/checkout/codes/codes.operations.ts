import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { createArrayResponse, createListResponse, type OperationGroup } from '../../platform/http/openapi/operation.ts'
import { codeBatchView, codeLimits, codesQuery, codesRequest, codeView, madeCodes } from './code-request.ts'

const path = '/merchants/:merchantId/coupons/:couponId/codes'
const reading = { method: 'get', access: 'key', scope: 'coupons:write', problems: ['not_found'] } as const
const [batch, count] = [exampleId('ccb'), 500]

export default {
  name: 'Coupon codes',
  description: 'Single-use codes of coupons, in numbers.',
  schemas: {
    CouponCodesCreate: inputSchema(codesRequest),
    CouponCodesMade: outputSchema(madeCodes),
    CouponCodeBatch: outputSchema(codeBatchView),
    CouponCode: outputSchema(codeView),
  },
  operations: [
    {
      id: 'createCouponCodes',
      method: 'post',
      path,
      summary: 'Make single-use codes of a coupon',
      description: `Requires an \`Idempotency-Key\`: a repeated request returns the same batch. A coupon has at most ${codeLimits.perCoupon} codes in ${codeLimits.batches} batches. A code has at least 46 random bits, and no characters that look like another one. Each code redeems the coupon once, like the coupon's own code, and counts towards its limits. Releasing the redemption makes the code available again. Raises no event. Deleting the coupon deletes its codes.`,
      access: 'key',
      scope: 'coupons:write',
      body: ref('CouponCodesCreate'),
      example: { count, prefix: 'SPRING-' },
      responses: {
        201: {
          description: 'The batch. `GET …/codes?batch=` returns the codes.',
          schema: ref('CouponCodesMade'),
          example: { batch, count },
        },
      },
      problems: ['not_found', 'too_many'],
    },
    {
      id: 'listCouponCodes',
      path,
      summary: 'List the codes of a batch',
      description:
        'Ordered by code. `format=csv` returns all of them in one file. Requires `coupons:write`, because everyone who knows an available code can use it.',
      ...reading,
      query: codesQuery,
      responses: {
        200: {
          ...createListResponse(ref('CouponCode'), { code: 'SPRING-7KQ4MWE3TX', state: 'available' }),
          otherContent: { 'text/csv': { type: 'string' } },
        },
      },
    },
    {
      id: 'listCouponCodeBatches',
      path: `${path}/batches`,
      summary: 'List the batches of codes of a coupon',
      description: 'Oldest first.',
      ...reading,
      responses: {
        200: createArrayResponse('All batches.', ref('CouponCodeBatch'), [
          { batch, count, prefix: 'SPRING-', createdAt: exampleSeconds },
        ]),
      },
    },
  ],
} satisfies OperationGroup
