import type * as z from 'zod'
import { tagImportFields } from '../../admin/tag-import.ts'
import * as resources from '../../resources/registry.ts'
import { exampleOf } from '../examples.ts'
import type { Chapter } from '../operations.ts'
import { inputSchema, ref } from '../schemas.ts'
import { tagImportTexts, withTexts } from '../texts.ts'

const old = {
  id: 'old-4711',
  alias: ['T-4711'],
  metadata: [{ key: 'table', value: '4' }],
  message: 'Welcome',
  timestamp: { _seconds: 1_600_000_000, _nanoseconds: 0 },
} satisfies z.core.input<typeof tagImportFields>

/** The tag as it is shown once it was taken over. */
async function imported() {
  const { metadata, id, alias, message, timestamp } = old
  const made = {
    id,
    createdAt: timestamp._seconds,
    updatedAt: timestamp._seconds,
    legacy: { alias, message, timestamp },
  }
  return (await exampleOf(resources.tags, { metadata }, made)).full
}

export const tagImportChapter = async (): Promise<Chapter> => ({
  name: 'Older tags',
  description: 'Tags of an earlier system.',
  schemas: { TagImport: withTexts(inputSchema(tagImportFields), tagImportTexts) },
  operations: [
    {
      id: 'importTag',
      method: 'post',
      path: '/admin/merchants/:merchantId/tags',
      summary: 'Take over a tag of an earlier system',
      description: 'It is kept as it came, and what was printed for it goes on working.',
      access: 'operator',
      body: ref('TagImport'),
      example: old,
      answers: {
        201: {
          description: 'The tag.',
          schema: ref('TagFull'),
          headers: ['Location', 'ETag'],
          example: await imported(),
        },
      },
      problems: ['conflict', 'damaged'],
    },
  ],
})
