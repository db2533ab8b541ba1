import type * as z from 'zod'
import { createExample } from '../catalogue/resource/example.operations.ts'
import { resources } from '../catalogue/resources/registry.ts'
import { collectDescriptions, describedInput } from '../platform/http/openapi/descriptions.ts'
import { ref, responseSchema } from '../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../platform/http/openapi/operation.ts'
import { tagImportFields } from './tag-import.ts'

const { testMode: _, ...tagDescriptions } = collectDescriptions(responseSchema(resources.tags, resources.tags.view))

const tagImportDescriptions = {
  ...tagDescriptions,
  id: 'Id of the tag in the earlier system. Default: an id that the service generates.',
  alias: 'Additional codes of the tag.',
}

const earlierTag = {
  id: 'old-4711',
  alias: ['T-4711'],
  metadata: [{ key: 'table', value: '4' }],
  message: 'Welcome',
  timestamp: { _seconds: 1_600_000_000, _nanoseconds: 0 },
} satisfies z.core.input<typeof tagImportFields>

/** The imported tag as the response shows it. */
async function createImported() {
  const { metadata, id, alias, message, timestamp } = earlierTag
  const made = {
    id,
    createdAt: timestamp._seconds,
    updatedAt: timestamp._seconds,
    legacy: { alias, message, timestamp },
  }
  return (await createExample(resources.tags, { metadata }, made)).full
}

export default {
  name: 'Older tags',
  description: 'Import of tags that an earlier system printed.',
  schemas: { TagImport: describedInput(tagImportFields, tagImportDescriptions) },
  operations: [
    {
      id: 'importTag',
      method: 'post',
      path: '/admin/merchants/:merchantId/tags',
      summary: 'Import a tag of an earlier system',
      description: 'Stores the tag unchanged. Its printed codes continue to work.',
      access: 'operator',
      body: ref('TagImport'),
      example: earlierTag,
      responses: {
        201: {
          description: 'The imported tag.',
          schema: ref('TagFull'),
          headers: ['Location', 'ETag'],
          example: await createImported(),
        },
      },
      problems: ['conflict', 'damaged'],
    },
  ],
} satisfies OperationGroup
