import type * as z from 'zod'

import { describedLike, inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../platform/http/openapi/operation.ts'
import { keysQuery, keysView } from '../signatures/public-key-routes.ts'
import { filterFields, filterView } from './filter-fields.ts'
import { maxBodyShapes } from './shapes.ts'

const example = {
  changed: { 'product.updated': ['price', 'visible'] },
  where: { 'product.*': { visible: true } },
  fields: { 'product.*': ['title', 'price'] },
} satisfies z.core.output<typeof filterView>

const path = '/merchants/:merchantId/webhooks/:webhookId/filter'
const update = inputSchema(filterFields)
const respond = (description: string) =>
  ({ 200: { description, schema: ref('WebhookFilter'), headers: ['ETag'], example } }) as const

/** Operations on the filter of a webhook. */
export default {
  name: 'Webhook filters',
  description: 'Which events a webhook gets, and with which fields.',
  schemas: {
    WebhookFilter: describedLike(outputSchema(filterView), update),
    WebhookFilterUpdate: update,
  },
  operations: [
    {
      id: 'retrieveWebhookFilter',
      method: 'get',
      path,
      summary: 'Retrieve the filter of a webhook',
      description: 'Members that are not set are absent.',
      access: 'key',
      scope: 'webhooks:read',
      condition: 'If-None-Match',
      responses: respond('The filter.'),
      problems: ['not_found', 'damaged'],
    },
    {
      id: 'updateWebhookFilter',
      method: 'post',
      path,
      summary: 'Set or clear the filter of a webhook',
      description: `Merges the body into the filter; \`null\` clears a member. An event that does not pass makes no delivery. Concerns later events only: deliveries that are stored keep the form of their bodies. Test events pass always. \`fields\` and \`thin\` can change ${maxBodyShapes} times in 30 days.`,
      access: 'key',
      scope: 'webhooks:write',
      body: ref('WebhookFilterUpdate'),
      example,
      condition: 'If-Match',
      responses: respond('The updated filter.'),
      problems: ['not_found', 'damaged', 'too_many'],
    },
    {
      id: 'listWebhookKeys',
      method: 'get',
      path: '/.well-known/webhook-keys',
      summary: 'List the public keys of a webhook',
      description:
        'Keys that verify `v1a` signatures (Ed25519), the current one first. Each webhook has its own. After a rotation of the secret, the key before it signs too, until `expiresAt`.',
      access: 'anyone',
      query: keysQuery,
      responses: {
        200: {
          description: 'The keys.',
          schema: outputSchema(keysView),
          example: { keys: [{ key: 'whpk_WPGJcvfSHzk4o4RFGh1nHAKiUsYUlMaXmSCrYDH8+w8=' }] },
        },
      },
      problems: ['invalid_request', 'not_found', 'rate_limited'],
    },
  ],
} satisfies OperationGroup
