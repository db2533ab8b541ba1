import type * as z from 'zod'
import { tagImportFields } from '../../../src/admin/tag-import.ts'
import * as resources from '../../../src/catalogue/resources/registry.ts'
import { describedInput, tagImportDescriptions } from '../descriptions.ts'
import { createExample } from '../examples.ts'
import { ref } from '../json-schema.ts'
import type { OperationGroup } from '../operation.ts'

const earlierTag = {
  id: 'old-4711',
  alias: ['T-4711'],
  metadata: [{ key: 'table', value: '4' }],
  message: 'Welcome',
  timestamp: { _seconds: 1_600_000_000, _nanoseconds: 0 },
} satisfies z.core.input<typeof tagImportFields>

/** The imported tag as the response shows it. */
async function imported() {
  const { metadata, id, alias, message, timestamp } = earlierTag
  const made = {
    id,
    createdAt: timestamp._seconds,
    updatedAt: timestamp._seconds,
    legacy: { alias, message, timestamp },
  }
  return (await createExample(resources.tags, { metadata }, made)).full
}

export const createTagImportGroup = async (): Promise<OperationGroup> => ({
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
          example: await imported(),
        },
      },
      problems: ['conflict', 'damaged'],
    },
  ],
})
