import type * as z from 'zod'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { type ApiOperation, createListResponse } from '../../platform/http/openapi/operation.ts'
import { resourcePaths } from '../../platform/names.ts'
import { announceSeconds } from '../../tenancy/move/announce.ts'
import { keptDays } from '../../tenancy/move/finish-move.ts'
import { merchantQuery } from '../merchant-routes.ts'
import { codeClashQuery, codeClashView } from './code-clash-routes.ts'
import { failingWebhookView } from './failing-webhook-routes.ts'
import { moveBody, moveView } from './move-routes.ts'
import { usageView } from './usage-routes.ts'

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

const merchant = '/admin/merchants/:merchantId'

export const operatorSchemas = {
  Usage: outputSchema(usageView),
  CodeClash: outputSchema(codeClashView),
  FailingWebhook: outputSchema(failingWebhookView),
  MoveCreate: inputSchema(moveBody),
  Move: outputSchema(moveView),
}

/** Operations on moves, use and failing webhooks of merchants. */
export const operatorOperations: readonly ApiOperation[] = [
  {
    id: 'moveMerchant',
    method: 'post',
    path: `${merchant}/move`,
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
    path: `${merchant}/move`,
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
    path: `${merchant}/usage`,
    summary: 'Retrieve the usage of a merchant',
    description: 'Reads all rows of the merchant.',
    access: 'operator',
    responses: { 200: { description: 'The usage.', schema: ref('Usage'), example: usage } },
    problems: ['damaged'],
  },
  {
    id: 'listCodeClashes',
    method: 'get',
    path: `${merchant}/code-clashes`,
    summary: 'List the coupons of a merchant whose codes clash',
    description:
      'Codes ignore case, width, invisible characters and the dot of an i. If the codes of two existing coupons became the same by this rule, one kept its exact spelling. A change of its code ends the clash. Returns the coupons of both modes, without their codes.',
    access: 'operator',
    query: codeClashQuery,
    responses: {
      200: createListResponse(ref('CodeClash'), {
        coupon: exampleId('coup'),
        testMode: false,
        other: exampleId('coup'),
      }),
    },
  },
]
