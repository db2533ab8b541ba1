import { sampleValues } from '../../catalogue/events/event-catalogue.operations.ts'
import { sampleRedemption } from '../../catalogue/events/event-data.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { createListResponse, type OperationGroup } from '../../platform/http/openapi/operation.ts'
import { redemptionQuery } from './redemption-list.ts'
import { redemptionRequest } from './redemption-request.ts'
import { redemptionView } from './redemption-view.ts'

const redeemed = sampleRedemption(sampleValues)
const collection = '/merchants/:merchantId/redemptions'
const redemption = `${collection}/:redemptionId`
const reading = { method: 'get', access: 'key', scope: 'redemptions:read' } as const
const writing = { method: 'post', access: 'key', scope: 'redemptions:write' } as const
const respond = (description: string, example: object = redeemed) =>
  ({ description, schema: ref('Redemption'), example }) as const
const released = { ...redeemed, state: 'released' }
export default {
  name: 'Redemptions',
  description: 'Coupons that orders redeem.',
  schemas: { Redemption: outputSchema(redemptionView), RedemptionCreate: inputSchema(redemptionRequest) },
  operations: [
    {
      id: 'listRedemptions',
      path: collection,
      summary: 'List redemptions, newest first',
      ...reading,
      query: redemptionQuery,
      responses: { 200: createListResponse(ref('Redemption'), redeemed) },
    },
    {
      id: 'createRedemption',
      path: collection,
      summary: 'Redeem a coupon for an order, or hold it',
      description:
        'An order redeems a coupon once. Repeating the request returns the first redemption with `200`. A different `amount` or `customer` returns `conflict`. Holds count towards the limits of the coupon. The limits also apply to concurrent requests. With `hold`, the coupon is reserved. A request without `hold` confirms the hold of its order. Conditions on the basket are checked only by a quote.',
      ...writing,
      body: ref('RedemptionCreate'),
      example: { code: 'TEN', order: '1234', amount: 1.25 },
      responses: {
        200: respond('The existing redemption of the order, or its confirmed hold.'),
        201: { ...respond('The new redemption.'), headers: ['Location'] },
      },
      problems: ['coupon_not_redeemable', 'conflict'],
    },
    {
      id: 'retrieveRedemption',
      path: redemption,
      summary: 'Retrieve a redemption',
      ...reading,
      responses: { 200: respond('The redemption.') },
      problems: ['not_found', 'damaged'],
    },
    {
      id: 'confirmRedemption',
      path: `${redemption}/confirm`,
      summary: 'Confirm a hold',
      description:
        'Confirming a redeemed coupon has no effect. An expired or released hold returns `conflict`. Since the hold, the limits may have been lowered, or redemptions added. If the limits then leave no room, the response is `coupon_not_redeemable`, and the hold stays.',
      ...writing,
      responses: { 200: respond('The redemption.') },
      problems: ['not_found', 'coupon_not_redeemable', 'conflict', 'damaged'],
    },
    {
      id: 'releaseRedemption',
      path: `${redemption}/release`,
      summary: 'Release a hold, or take a redemption back',
      description:
        'Lowers `timesRedeemed` of the coupon if the redemption was counted. Releasing again has no effect. An expired hold stays `expired`.',
      ...writing,
      responses: { 200: respond('The redemption.', released) },
      problems: ['not_found', 'damaged'],
    },
  ],
} satisfies OperationGroup
