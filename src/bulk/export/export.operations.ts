import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import type { OperationGroup } from '../../platform/http/openapi/operation.ts'
import { exportQuery, xlsxType } from './export-query.ts'
import { maxMetadataColumns } from './export-routes.ts'

const example = [
  {
    export: {
      merchantId: exampleId('mer'),
      testMode: false,
      takenAt: exampleSeconds,
      lastEvent: exampleId('evt'),
    },
  },
  {
    resource: 'customers',
    externalId: 'C-1',
    object: {
      id: exampleId('cus'),
      testMode: false,
      createdAt: exampleSeconds,
      updatedAt: exampleSeconds,
      firstName: 'Inês',
      lastName: 'Brito',
    },
  },
  { end: { counts: { customers: 1 } } },
]

export default {
  name: 'Export',
  description: 'All objects of a merchant as one file.',
  operations: [
    {
      id: 'exportObjects',
      method: 'get',
      path: '/merchants/:merchantId/export',
      summary: 'Export all objects as one file',
      description: [
        'Streams the objects of the mode of the API key, oldest first. Objects come after the objects that they refer to.',
        'JSON Lines: the first line is `{"export": {"merchantId", "testMode", "takenAt", "lastEvent"}}`, each object is `{"resource", "externalId", "object", "details", "limits"}`, without the absent ones, and the last line is `{"end": {"counts"}}`. A file without its last line is incomplete.',
        `CSV: a header row with the columns that an import accepts, and a row for each object. \`422\` if the objects have more than ${maxMetadataColumns} different metadata keys.`,
        'Spreadsheet: a sheet for each resource with the columns of CSV, typed cells and a header that stays visible. Texts are texts, so that zeros and plus signs stay. `mapping=auto` of an import reads it, also after a program has saved it.',
        'An export is not a snapshot: it may contain changes made while it runs. To bring a copy up to date, apply the events after `lastEvent`.',
      ].join(' '),
      access: 'key',
      scope: '<resource>:read',
      query: exportQuery,
      responses: {
        200: {
          description: 'The file. Secrets of webhooks are left out.',
          contentType: 'application/jsonl',
          schema: { type: 'string' },
          example: example.map((line) => `${JSON.stringify(line)}\n`).join(''),
          otherContent: { 'text/csv': { type: 'string' }, [xlsxType]: {} },
          headers: ['Content-Disposition'],
        },
      },
      problems: ['busy'],
    },
  ],
} satisfies OperationGroup
