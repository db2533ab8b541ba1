import type * as z from 'zod'
import { describedInput, objectDescriptions, withDescriptions } from '../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../platform/http/openapi/examples.ts'
import { describedLike, inputSchema, outputSchema, ref } from '../platform/http/openapi/json-schema.ts'
import { type ApiOperation, createListResponse, type OperationGroup } from '../platform/http/openapi/operation.ts'
import { damagedBounds } from './damaged-parts.ts'
import { damagedQuery, damagedView } from './damaged-row-routes.ts'
import { merchantQuery } from './merchant-routes.ts'
import { closeFields, merchantSchemas } from './merchant-schemas.ts'
import { operatorOperations, operatorSchemas } from './operator/operator.operations.ts'

const created = {
  name: 'Three Otters',
  timezone: 'Europe/Lisbon',
  currency: 'EUR',
  orderingUrl: 'https://order.example.com/{merchant}?table={metadata.table}',
} satisfies z.core.input<typeof merchantSchemas.create>

const merchant = {
  ...created,
  home: 'd1',
  pricesIncludeTax: true,
  taxRate: 0,
  taxRounding: 'rate',
  dayStartsAt: '0400',
  hoursClose: true,
  id: exampleId('mer'),
  createdAt: exampleSeconds,
  updatedAt: exampleSeconds,
  status: 'active',
} satisfies z.core.output<typeof merchantSchemas.view>

export const merchantDescriptions = { ...objectDescriptions, name: 'Name of the venue.' }

const respond = (description: string) => ({ description, schema: ref('Merchant'), example: merchant })

/** Operations on one merchant: for the operator, and for the merchant's own keys. */
export function createMerchantOperations(access: 'operator' | 'key'): readonly ApiOperation[] {
  const isOwn = access === 'key'
  const object = isOwn ? '/merchants/:merchantId' : '/admin/merchants/:merchantId'
  const granted = (verb: 'read' | 'write') => (isOwn ? { access, scope: `merchant:${verb}` } : { access })
  return [
    {
      id: isOwn ? 'retrieveOwnMerchant' : 'retrieveMerchant',
      method: 'get',
      path: object,
      summary: 'Retrieve a merchant',
      ...granted('read'),
      condition: 'If-None-Match',
      responses: { 200: { ...respond('The merchant.'), headers: ['ETag'] } },
      problems: ['damaged'],
    },
    {
      id: isOwn ? 'updateOwnMerchant' : 'updateMerchant',
      method: 'post',
      path: object,
      summary: 'Update a merchant',
      ...granted('write'),
      body: ref('MerchantUpdate'),
      example: { sandboxUrl: null },
      condition: 'If-Match',
      responses: { 200: { ...respond('The updated merchant.'), headers: ['ETag'] } },
      problems: ['busy', 'damaged'],
    },
  ]
}

/** An operation that changes the status of a merchant. */
interface StateChange {
  name: 'suspend' | 'resume' | 'close' | 'reopen'
  summary: string
  description: string
  example?: object
}

const { create, update, view } = merchantSchemas
const change = ({ name, example = merchant, ...texts }: StateChange): ApiOperation => ({
  ...texts,
  id: `${name}Merchant`,
  method: 'post',
  path: `${object}/${name}`,
  access: 'operator',
  responses: { 200: { ...respond('The merchant.'), headers: ['ETag'], example } },
  problems: ['conflict', 'busy', 'damaged'],
})
const [collection, object] = ['/admin/merchants', '/admin/merchants/:merchantId']
const written = describedInput(update, merchantDescriptions)
export default {
  name: 'Merchants',
  description: 'Accounts of venues.',
  schemas: {
    MerchantCreate: describedInput(create, merchantDescriptions),
    MerchantUpdate: written,
    DamagedRow: outputSchema(damagedView),
    ...operatorSchemas,
    Merchant: withDescriptions(describedLike(outputSchema(view), written), merchantDescriptions),
  },
  operations: [
    {
      id: 'listMerchants',
      method: 'get',
      path: collection,
      summary: 'List merchants',
      access: 'operator',
      query: merchantQuery,
      responses: { 200: createListResponse(ref('Merchant'), merchant) },
    },
    {
      id: 'createMerchant',
      method: 'post',
      path: collection,
      summary: 'Create a merchant',
      access: 'operator',
      body: ref('MerchantCreate'),
      example: created,
      responses: { 201: { ...respond('The new merchant.'), headers: ['Location', 'ETag'] } },
    },
    ...createMerchantOperations('operator'),
    change({
      name: 'suspend',
      summary: 'Suspend a merchant',
      description:
        'API keys are rejected with `merchant_suspended`, guests see a notice, and deliveries wait. Takes effect everywhere within a minute. Suspending a suspended merchant has no effect.',
      example: { ...merchant, status: 'suspended', suspendedAt: exampleSeconds },
    }),
    change({
      name: 'resume',
      summary: 'End the suspension of a merchant',
      description:
        'Waiting deliveries are made within two minutes. A closed merchant stays closed. Rejected during a restore.',
    }),
    {
      ...change({
        name: 'close',
        summary: 'Close a merchant',
        description:
          'The merchant is suspended until the grace period ends. Then all its data is deleted, and its codes return `410`. Closing a closed merchant changes the grace period.',
        example: { ...merchant, status: 'closed', closedAt: exampleSeconds, deletesAt: exampleSeconds + 2_592_000 },
      }),
      body: inputSchema(closeFields),
      example: { graceDays: 30 },
    },
    change({
      name: 'reopen',
      summary: 'Reopen a closed merchant',
      description: 'Possible until the grace period ends. A suspension continues.',
    }),
    ...operatorOperations,
    {
      id: 'listDamagedRows',
      method: 'get',
      path: `${object}/damaged`,
      summary: 'List the damaged rows of a merchant',
      description: `Returns rows that do not fit their schema. Reads the merchant, its keys, members, passkeys, invitations, resources, events, deliveries, audit log, limits of coupons and redemptions, in both modes. One request reads up to ${(damagedBounds.rows * damagedBounds.statements).toLocaleString('en')} rows, so a page can be empty and still have a next page.`,
      access: 'operator',
      query: damagedQuery,
      responses: {
        200: createListResponse(ref('DamagedRow'), { table: 'menus', id: exampleId('menu'), fields: ['sections'] }),
      },
    },
  ],
} satisfies OperationGroup
