import { withDescriptions } from '../../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../../platform/http/openapi/operation.ts'
import { previewSeconds } from '../../../storefront/menu/preview/preview-link.ts'
import { releaseLimits } from '../release-limits.ts'
import { menuPreviewView, previewRequest } from './preview-routes.ts'

const previewDescriptions = {
  url: 'Address of the hosted menu. The same query at `/m/{merchantId}.json` returns its data. It works without an API key.',
  expiresAt: 'Time when the address expires, in seconds since 1970-01-01 UTC.',
}

export default {
  name: 'Previews',
  description: 'The hosted menu as it is stored, or after changes that are not stored, at any time.',
  schemas: {
    PreviewCreate: (() => {
      const { properties: { operations: list, ...properties } = {}, ...schema } = inputSchema(previewRequest)
      const named = typeof list === 'object' ? { ...list, items: ref('ReleaseChange') } : {}
      return { ...schema, properties: { ...properties, operations: named } }
    })(),
    Preview: withDescriptions(outputSchema(menuPreviewView), previewDescriptions),
  },
  operations: [
    {
      id: 'createPreview',
      method: 'post',
      path: '/merchants/:merchantId/preview',
      summary: 'Create an address that shows the hosted menu at a time',
      description: `The address is valid for ${previewSeconds / 60} minutes. Its responses are read from the database and not cached, in the mode of the key. Search engines do not index them. With \`operations\` (at most ${releaseLimits.shownOperations}, in a body of at most ${releaseLimits.shownBytes / 1024} KiB) it shows the menu after changes that are not stored, with \`release\` after the changes of a release: its present ones, if they can be published. Both require \`<resource>:read\` of their resources, and \`release\` requires \`releases:read\`.`,
      access: 'key',
      scope: 'menus:read',
      body: ref('PreviewCreate'),
      example: { at: exampleSeconds },
      problems: ['not_found', 'conflict'],
      responses: {
        200: {
          description: 'The signed address.',
          schema: ref('Preview'),
          example: {
            url: `https://menu.example/m/${exampleId('mer')}?preview=live.${exampleSeconds}...${exampleSeconds + previewSeconds}.7KQ2M5XZ8CE4FA9R`,
            expiresAt: exampleSeconds + previewSeconds,
          },
        },
      },
    },
  ],
} satisfies OperationGroup
