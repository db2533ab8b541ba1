import type * as z from 'zod'
import { damagedBounds } from '../../../src/admin/damaged-parts.ts'
import { damagedQuery, damagedView } from '../../../src/admin/damaged-row-routes.ts'
import { merchantQuery } from '../../../src/admin/merchant-routes.ts'
import { closeFields, merchantSchemas } from '../../../src/admin/merchant-schemas.ts'
import { failingWebhookView } from '../../../src/admin/operator/failing-webhook-routes.ts'
import { moveBody, moveView } from '../../../src/admin/operator/move-routes.ts'
import { usageView } from '../../../src/admin/operator/usage-routes.ts'
import { resourcePaths } from '../../../src/platform/names.ts'
import { announceSeconds } from '../../../src/tenancy/move/announce.ts'
import { keptDays } from '../../../src/tenancy/move/finish-move.ts'
import { describedInput, merchantDescriptions, withDescriptions } from '../descriptions.ts'
import { exampleId, exampleSeconds } from '../examples.ts'
import { describedLike, inputSchema, outputSchema, ref } from '../json-schema.ts'
import { type ApiOperation, createListResponse, type OperationGroup } from '../operation.ts'

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
  id: exampleId('mer'),
  createdAt: exampleSeconds,
  updatedAt: exampleSeconds,
  status: 'active',
} satisfies z.core.output<typeof merchantSchemas.view>

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

const failingWebhook = {
  id: exampleId('wh'),
  title: 'Point of sale',
  mode: 'live',
  active: true,
  failures: 4,
  failingSince: exampleSeconds,
  failed: 2,
  merchant: { id: exampleId('mer'), name: 'Three Otters' },
} satisfies z.core.output<typeof failingWebhookView>
const usage = usageView.parse({
  objects: Object.fromEntries(resourcePaths.map((path, index) => [path, { live: 12 * (index + 1), test: index }])),
  bytes: 1_482_113,
  deliveries: { pending: 1, failed: 0, oldestPendingAt: exampleSeconds },
})

const move = {
  state: 'done',
  home: 'object',
  location: 'weur',
  rows: 12_408,
  startedAt: exampleSeconds,
} satisfies z.core.output<typeof moveView>

/** An operation that changes the status of a merchant. */
interface StateChange {
  name: 'suspend' | 'resume' | 'close' | 'reopen'
  summary: string
  description: string
  example?: object
}

export const createMerchantGroup = (): OperationGroup => {
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
  return {
    name: 'Merchants',
    description: 'Accounts of venues.',
    schemas: {
      MerchantCreate: describedInput(create, merchantDescriptions),
      MerchantUpdate: written,
      DamagedRow: outputSchema(damagedView),
      Usage: outputSchema(usageView),
      FailingWebhook: outputSchema(failingWebhookView),
      MoveCreate: inputSchema(moveBody),
      Move: outputSchema(moveView),
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
      {
        id: 'moveMerchant',
        method: 'post',
        path: `${object}/move`,
        summary: 'Move the data of a merchant',
        description: `Copies all data to another home while the merchant trades. At the end, writes wait, usually for less than 2 seconds, and continue at the new home. Takes at least ${announceSeconds} seconds. A repeated request returns the running move. Rows at the old home are removed ${keptDays} days later.`,
        access: 'operator',
        body: ref('MoveCreate'),
        example: { home: 'object', location: 'weur' },
        responses: {
          202: {
            description: 'The move has started.',
            schema: ref('Move'),
            example: { ...move, state: 'copying', rows: 0 },
          },
        },
        problems: ['conflict', 'damaged'],
      },
      {
        id: 'retrieveMove',
        method: 'get',
        path: `${object}/move`,
        summary: 'Retrieve the last move of a merchant',
        access: 'operator',
        responses: {
          200: {
            description: 'The move.',
            schema: ref('Move'),
            example: { ...move, endedAt: exampleSeconds + 38, fencedMs: 412 },
          },
        },
      },
      {
        id: 'listFailingWebhooks',
        method: 'get',
        path: '/admin/failing-webhooks',
        summary: 'List the failing webhooks of all merchants',
        description:
          'Returns webhooks whose last attempt failed, and webhooks that the service deactivated, in both modes. Leaves out merchants that are suspended. `limit` counts merchants, newest first: a page has the webhooks of this number of merchants, and may be empty although more pages follow.',
        access: 'operator',
        query: merchantQuery,
        responses: { 200: createListResponse(ref('FailingWebhook'), failingWebhook) },
      },
      {
        id: 'retrieveUsage',
        method: 'get',
        path: `${object}/usage`,
        summary: 'Retrieve the usage of a merchant',
        description: 'Reads all rows of the merchant.',
        access: 'operator',
        responses: { 200: { description: 'The usage.', schema: ref('Usage'), example: usage } },
        problems: ['damaged'],
      },
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
  }
}
