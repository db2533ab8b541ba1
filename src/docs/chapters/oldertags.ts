import { tagImportFields } from '../../merchants/tags.ts'
import type { Chapter } from '../operations.ts'
import { inputSchema, ref } from '../schemas.ts'

export const tagImportChapter = (): Chapter => ({
  name: 'Older tags',
  description: 'Tags of an earlier system.',
  schemas: { TagImport: inputSchema(tagImportFields) },
  operations: [
    {
      id: 'importTag',
      method: 'post',
      path: '/admin/merchants/:merchantId/tags',
      summary: 'Take over a tag of an earlier system',
      description: 'It is kept as it came, and what was printed for it goes on working.',
      access: 'operator',
      body: ref('TagImport'),
      answers: { 201: { description: 'The tag.', schema: ref('TagFull'), headers: ['Location', 'ETag'] } },
      problems: ['conflict'],
    },
  ],
})
