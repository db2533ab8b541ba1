import * as z from 'zod/mini'
import { chargeList, chargesFields } from '../../catalogue/resources/venue-charges.ts'
import { describedLike, inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../platform/http/openapi/operation.ts'

const path = '/merchants/:merchantId/charges'
const update = inputSchema(chargesFields)
const service = {
  id: 'service',
  title: 'Service',
  kind: 'service',
  type: 'PERCENTAGE',
  value: 12.5,
  per: 'order',
  orderTypes: ['dine_in'],
  minGuests: 6,
  taxable: true,
  optional: false,
} satisfies z.core.output<typeof chargeList>[number]
const respond = (description: string) =>
  ({ 200: { description, schema: ref('Charges'), headers: ['ETag'], example: { charges: [service] } } }) as const

export default {
  name: 'Charges',
  description: 'Charges for service, packaging and delivery.',
  schemas: {
    Charges: describedLike(outputSchema(z.object({ charges: chargeList })), update),
    ChargesUpdate: update,
  },
  operations: [
    {
      id: 'listCharges',
      method: 'get',
      path,
      summary: 'List the charges of a merchant',
      description: 'Those of the mode of the key. Empty if they were never set.',
      access: 'key',
      scope: 'merchant:read',
      condition: 'If-None-Match',
      responses: respond('All charges.'),
      problems: ['damaged'],
    },
    {
      id: 'replaceCharges',
      method: 'post',
      path,
      summary: 'Replace the charges of a merchant',
      description:
        'Replaces the whole list, in the mode of the key. Quotes compute charges from what is left of the lines after coupons; coupons and minimums never see them. Hosted menus show charges that apply without choice. Raises no event.',
      access: 'key',
      scope: 'merchant:write',
      body: ref('ChargesUpdate'),
      example: { charges: [service] },
      condition: 'If-Match',
      responses: respond('All charges, as stored.'),
    },
  ],
} satisfies OperationGroup
