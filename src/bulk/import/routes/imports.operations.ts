import type * as z from 'zod'
import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import { createListResponse, type OperationGroup } from '../../../platform/http/openapi/operation.ts'
import { pageQuery } from '../../../platform/http/pagination.ts'
import { xlsxType } from '../../export/export-query.ts'
import { mappingFields } from '../auto/mapping-fields.ts'
import { previewView } from '../auto/preview-view.ts'
import { importIssueView } from '../import-issue-view.ts'
import { importLimits, importRetentionDays, importRowRetentionDays } from '../import-limits.ts'
import { type ImportView, importView } from '../import-view.ts'
import { importQuery, importTypes } from '../upload/import-query.ts'
import { applyFields } from './apply-routes.ts'
import { deletionQuery, deletionView } from './deletion-routes.ts'
import { issueQuery } from './issue-routes.ts'
import { previewQuery } from './preview-routes.ts'
import { templateQuery } from './template-routes.ts'

const checking: ImportView = {
  id: exampleId('imp'),
  resource: 'products',
  format: 'csv',
  mapping: 'strict',
  match: 'externalId',
  state: 'checking',
  rows: 120,
  checked: 0,
  applied: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  revision: 0,
  outcomes: {},
  notices: [],
  createdAt: exampleSeconds,
  updatedAt: exampleSeconds,
}
const done: ImportView = {
  ...{ ...checking, state: 'done', checked: 120, applied: 119, created: 20, updated: 99, failed: 1 },
  outcomes: { products: { created: 20, updated: 99, unchanged: 0 } },
}
const issue: z.core.output<typeof importIssueView> = {
  row: 17,
  column: 'price',
  severity: 'issue',
  code: 'invalid_type',
  message: 'must be a number, or a string with a number in plain decimals',
  value: 'a lot',
}

const preview: z.core.output<typeof previewView> = {
  row: 2,
  resource: 'products',
  object: { title: 'Espresso', price: 2.2 },
  outcome: 'updated',
  how: 'sku',
  issues: [],
}

const deletion: z.core.output<typeof deletionView> = {
  resource: 'products',
  id: exampleId('prod'),
  externalId: 'A-17',
  title: 'Espresso',
}

const path = '/merchants/:merchantId/imports'
const reading = { access: 'key', scope: '<resource>:read' } as const
const writing = { access: 'key', scope: '<resource>:write', method: 'post' } as const
const file = { type: 'string' } as const

/** Operations on imports of files. */
export default {
  name: 'Import',
  description:
    'Creates and updates many objects from a CSV or JSON Lines file, in two steps: the rows are checked, then applied.',
  schemas: {
    Import: outputSchema(importView),
    ImportIssue: outputSchema(importIssueView),
    ImportApplication: inputSchema(applyFields),
    ImportDeletion: outputSchema(deletionView),
    ImportMapping: inputSchema(mappingFields),
    ImportPreview: outputSchema(previewView),
  },
  operations: [
    {
      id: 'createImport',
      path,
      summary: 'Upload a file to import',
      description: `Checks the rows in the background. The file has at most ${importLimits.fileBytes.toLocaleString('en')} bytes, ${importLimits.rows.toLocaleString('en')} rows, ${importLimits.columns.toLocaleString('en')} columns of CSV, and ${importLimits.recordUnits.toLocaleString('en')} characters in a row of CSV and ${importLimits.lineUnits.toLocaleString('en')} in a line of JSON. A merchant can have ${importLimits.openImports} unfinished imports in each mode.`,
      ...writing,
      query: importQuery,
      file: Object.fromEntries(Object.keys(importTypes).map((type) => [type, file])),
      responses: {
        202: { description: 'The import.', schema: ref('Import'), headers: ['Location'], example: checking },
      },
      problems: ['too_many', 'malformed_body', 'unsupported_file'],
    },
    {
      id: 'listImports',
      method: 'get',
      path,
      summary: `List the imports of the last ${importRetentionDays} days, newest first`,
      description: 'Returns the imports whose resources the key can read.',
      ...reading,
      query: pageQuery,
      responses: { 200: createListResponse(ref('Import'), done) },
    },
    {
      id: 'retrieveImportTemplate',
      method: 'get',
      path: `${path}/template`,
      summary: 'Download an empty table to fill in',
      description:
        'Returns a table with headings in a language. `mapping=auto` recognizes each of them, whatever the language of the venue. Columns that are not needed can be deleted.',
      ...reading,
      query: templateQuery,
      responses: {
        200: {
          description: 'The table.',
          contentType: xlsxType,
          schema: {},
          otherContent: { 'text/csv': file },
          headers: ['Content-Disposition'],
        },
      },
    },
    {
      id: 'retrieveImport',
      method: 'get',
      path: `${path}/:importId`,
      summary: 'Retrieve an import',
      ...reading,
      responses: { 200: { description: 'The import with its progress.', schema: ref('Import'), example: done } },
      problems: ['not_found'],
    },
    {
      id: 'listImportErrors',
      method: 'get',
      path: `${path}/:importId/errors`,
      summary: 'List the issues of an import, by row',
      description: `With \`Accept: text/csv\` or \`application/jsonl\`, returns the faulty rows as they came, in the format of the file, each with its issues in \`error\`. An import of the corrected file ignores \`error\`. Rows and issues are kept for ${importRowRetentionDays} days after the import is done, failed or cancelled.`,
      ...reading,
      query: issueQuery,
      responses: {
        200: {
          ...createListResponse(ref('ImportIssue'), issue),
          otherContent: { 'text/csv': file, 'application/jsonl': file },
        },
      },
      problems: ['not_found', 'busy'],
    },
    {
      id: 'mapImport',
      path: `${path}/:importId/mapping`,
      summary: 'Map the columns of an import',
      description:
        'Answers the questions of an import with `mapping=auto` and chooses what its columns become. The file is read and checked again, without another upload. Choices that the body does not name stay. Not possible once the import is applied.',
      ...writing,
      body: ref('ImportMapping'),
      example: { columns: { Preis: 'price' }, numberFormat: 'comma' },
      responses: {
        200: {
          description: 'The import.',
          schema: ref('Import'),
          example: { ...checking, mapping: 'auto', match: 'auto', revision: 2 },
        },
      },
      problems: ['not_found', 'conflict', 'mapping_changed', 'busy'],
    },
    {
      id: 'previewImport',
      method: 'get',
      path: `${path}/:importId/preview`,
      summary: 'Preview the objects of an import',
      description:
        'Returns the objects of an import with `mapping=auto` as they will be written, in the order of the file, and the key by which each row found its object. Empty for other imports.',
      ...reading,
      query: previewQuery,
      responses: { 200: createListResponse(ref('ImportPreview'), preview) },
      problems: ['not_found'],
    },
    {
      id: 'listImportDeletions',
      method: 'get',
      path: `${path}/:importId/deletions`,
      summary: 'List the objects that an import will delete',
      description:
        'Returns the objects with an external id that the file of an import with `delete=missing` does not name, while the import is `ready`. Empty otherwise.',
      ...reading,
      query: deletionQuery,
      responses: { 200: createListResponse(ref('ImportDeletion'), deletion) },
      problems: ['not_found'],
    },
    {
      id: 'applyImport',
      path: `${path}/:importId/apply`,
      summary: 'Apply an import',
      description:
        'Applies the rows without issues, in the background. Imports of a merchant are applied in sequence. Has no effect on an import that is being applied or done.',
      ...writing,
      body: ref('ImportApplication'),
      isBodyOptional: true,
      example: { confirmDeletes: 12, revision: 2 },
      responses: {
        202: {
          description: 'The import.',
          schema: ref('Import'),
          example: { ...checking, state: 'applying', checked: 120 },
        },
      },
      problems: ['not_found', 'conflict', 'questions_open', 'mapping_changed', 'confirm_required'],
    },
    {
      id: 'cancelImport',
      path: `${path}/:importId/cancel`,
      summary: 'Cancel an import',
      description: 'Stops an import that is not done. Rows that were applied stay.',
      ...writing,
      responses: {
        200: { description: 'The import.', schema: ref('Import'), example: { ...checking, state: 'cancelled' } },
      },
      problems: ['not_found', 'conflict'],
    },
  ],
} satisfies OperationGroup
