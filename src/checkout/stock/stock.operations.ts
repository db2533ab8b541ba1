import type * as z from 'zod'
import { eventSchemas } from '../../catalogue/events/event-catalogue.operations.ts'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { createListResponse, type OperationGroup } from '../../platform/http/openapi/operation.ts'
import { adjustmentRetentionDays } from './adjustment-retention.ts'
import { availabilityRequest, availabilityView } from './availability.ts'
import { optionAvailabilityRequest, optionAvailabilityView } from './option-availability.ts'
import { stockQuery, stockView } from './stock-list.ts'
import { stockRequest, stockResult } from './stock-request.ts'

const sale = {
  reference: '1234',
  reason: 'sale',
  changes: [{ product: exampleId('prod'), delta: -2 }],
} satisfies z.core.input<typeof stockRequest>

const result = {
  reference: '1234',
  changes: [{ product: exampleId('prod'), stockQuantity: 3, soldOut: false }],
} satisfies z.core.output<typeof stockResult>

const exception = {
  product: exampleId('prod'),
  title: 'Cheesecake',
  stockQuantity: 0,
  soldOut: true,
} satisfies z.core.output<typeof stockView>

const marked = { soldOut: true, until: exampleSeconds + 68_400 } satisfies z.core.output<typeof availabilityView>

const optionId = exampleId('opt')
const markedOption = {
  options: { [optionId]: { soldOut: true, until: exampleSeconds + 68_400 } },
} satisfies z.core.output<typeof optionAvailabilityView>

const ofOptions = '/merchants/:merchantId/modifiers/:modifierId/availability'
const availability = '/merchants/:merchantId/products/:productId/availability'
const respond = (description: string) =>
  ({ 200: { description, schema: ref('Availability'), example: marked } }) as const

const respondOptions = (description: string) =>
  ({ 200: { description, schema: ref('OptionAvailability'), example: markedOption } }) as const

export default {
  name: 'Stock',
  description: 'Stock of products, and products and options that are sold out.',
  schemas: {
    StockAdjustment: inputSchema(stockRequest),
    StockResult: outputSchema(stockResult),
    StockException: outputSchema(stockView),
    Availability: outputSchema(availabilityView),
    AvailabilityUpdate: inputSchema(availabilityRequest),
    OptionAvailability: outputSchema(optionAvailabilityView),
    OptionAvailabilityUpdate: inputSchema(optionAvailabilityRequest),
    ...eventSchemas,
  },
  operations: [
    {
      id: 'adjustStock',
      method: 'post',
      path: '/merchants/:merchantId/stock',
      summary: 'Adjust the stock of products',
      description: `Applies all changes in one transaction, or none. Applies each \`reference\` once: repeating the request returns the first result. A different body with the same reference returns \`conflict\`. References are kept for ${adjustmentRetentionDays} days. A change that would make the stock negative is rejected with \`insufficient_stock\`, unless \`oversell\` is \`true\` or the change increases the stock. Only products with \`manageStock\` have a stock. Without \`stockQuantity\`, the stock is 0.`,
      access: 'key',
      scope: 'stock:write',
      body: ref('StockAdjustment'),
      example: sale,
      responses: {
        200: { description: 'The stock after the adjustment.', schema: ref('StockResult'), example: result },
      },
      problems: ['insufficient_stock', 'conflict'],
    },
    {
      id: 'listStock',
      method: 'get',
      path: '/merchants/:merchantId/stock',
      summary: 'List the products that are sold out, or low in stock',
      access: 'key',
      scope: 'stock:read',
      query: stockQuery,
      responses: { 200: createListResponse(ref('StockException'), exception) },
    },
    {
      id: 'retrieveAvailability',
      method: 'get',
      path: availability,
      summary: 'Retrieve whether a product is sold out',
      access: 'key',
      scope: 'stock:read',
      responses: respond('The availability.'),
      problems: ['not_found'],
    },
    {
      id: 'updateAvailability',
      method: 'post',
      path: availability,
      summary: 'Mark a product as sold out, or remove the mark',
      description:
        'A mark has no effect from `until` on. The hosted menu shows it within 60 seconds. If the managed stock is 0, the product stays sold out even without a mark. Raises `product.sold_out` or `product.back_in_stock` if the product becomes sold out or available.',
      access: 'key',
      scope: 'stock:write',
      body: ref('AvailabilityUpdate'),
      example: { soldOut: true, until: 'tomorrow' },
      responses: respond('The availability.'),
      problems: ['not_found'],
    },
    {
      id: 'retrieveOptionAvailability',
      method: 'get',
      path: ofOptions,
      summary: 'Retrieve which options of a modifier are sold out',
      access: 'key',
      scope: 'modifiers:read',
      responses: respondOptions('The availability of all options.'),
      problems: ['not_found'],
    },
    {
      id: 'updateOptionAvailability',
      method: 'post',
      path: ofOptions,
      summary: 'Mark options of a modifier as sold out, or remove their marks',
      description:
        'Options that are absent stay as they are. A mark has no effect from `until` on. The hosted menu shows it within 60 seconds. Raises `option.sold_out` or `option.back_in_stock` for the options that change, and no event of a product: the availability of products stays as it is. A mark disappears with its option.',
      access: 'key',
      scope: 'stock:write',
      body: ref('OptionAvailabilityUpdate'),
      example: { options: { [optionId]: { soldOut: true, until: 'tomorrow' } } },
      responses: respondOptions('The availability of all options after the change.'),
      problems: ['not_found'],
    },
  ],
} satisfies OperationGroup
