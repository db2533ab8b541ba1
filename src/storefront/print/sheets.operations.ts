import * as z from 'zod'
import { linkSeconds } from '../../platform/auth/signed-link.ts'
import { exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { type ApiOperation, type ApiResponse, createPageResponseSpec } from '../../platform/http/openapi/operation.ts'
import { sheetLimits, sheetLinkFields, sheetQuery } from './sheet-parameters.ts'

const createSheetPdfSpec = (): ApiResponse => ({
  description: 'The sheet.',
  schema: {},
  contentType: 'application/pdf',
  headers: ['Tags-Omitted'],
})

/** Schemas of these operations. */
export const sheetSchemas = { SheetLinkCreate: inputSchema(sheetLinkFields) }

/** Operations that print tags, or link to prints. `tags` is the path of tags. */
export const listSheetOperations = (tags: string): ApiOperation[] => {
  const reading = { method: 'get', access: 'key', scope: 'tags:read' } as const
  return [
    {
      id: 'printSheet',
      path: `${tags}/sheet`,
      summary: 'Print tags as an HTML page',
      description: `Prints the selected tags in the natural order of their labels, at most ${sheetLimits.tags.toLocaleString('en')}. \`Tags-Omitted\` and the first page say how many more there are.`,
      ...reading,
      query: sheetQuery,
      responses: { 200: createPageResponseSpec('The sheet.', ['Tags-Omitted']) },
      problems: ['not_found'],
    },
    {
      id: 'printSheetPdf',
      path: `${tags}/sheet.pdf`,
      summary: 'Print tags as a PDF',
      ...reading,
      query: sheetQuery,
      responses: { 200: createSheetPdfSpec() },
      problems: ['not_found'],
    },
    {
      id: 'createSheetLink',
      method: 'post',
      path: `${tags}/sheet-link`,
      summary: 'Create links to a sheet of tags',
      description: `A browser can open and print them without an API key for ${linkSeconds / 60} minutes. The signature covers the selection, the text and the time of expiry. Stores nothing.`,
      access: 'key',
      scope: 'tags:read',
      ignoresIdempotencyKey: true,
      body: ref('SheetLinkCreate'),
      example: { area: 'Terrace', layout: 'avery-l7160' },
      responses: {
        201: {
          description: 'The links.',
          schema: outputSchema(
            z.object({
              url: z.url().meta({ description: 'Address of the sheet as a page.' }),
              pdfUrl: z.url().meta({ description: 'Address of the sheet as a PDF.' }),
              expiresAt: z.int().meta({ description: 'Time when the links expire, in seconds since 1970-01-01 UTC.' }),
            }),
          ),
          example: {
            url: `https://menu.example/sheet/${exampleSeconds + 900}/v3ja8k2m9qxr5tbw?s=eyJtZXJjaGFudElk`,
            pdfUrl: `https://menu.example/sheet/${exampleSeconds + 900}/v3ja8k2m9qxr5tbw/tags.pdf?s=eyJtZXJjaGFudElk`,
            expiresAt: exampleSeconds + 900,
          },
        },
      },
      problems: ['conflict'],
    },
  ]
}

/** Operations of the links to sheets, which work without an API key. `problems` are the responses of all such pages. */
export const listLinkedSheetOperations = (problems: ApiOperation['responses']): ApiOperation[] => [
  ...(['', 'Pdf'] as const).map(
    (kind): ApiOperation => ({
      id: `openSheet${kind}`,
      path: `/sheet/:expires/:seal${kind === '' ? '' : '/tags.pdf'}`,
      summary: `Open the link to a sheet of tags${kind === '' ? '' : ' as a PDF'}`,
      method: 'get',
      access: 'anyone',
      query: z.object({ s: z.string().meta({ description: 'Content of the link, which the signature covers.' }) }),
      responses: {
        200: kind === '' ? createPageResponseSpec('The sheet.', ['Tags-Omitted']) : createSheetPdfSpec(),
        410: createPageResponseSpec('The link has expired.'),
        ...problems,
      },
    }),
  ),
]
