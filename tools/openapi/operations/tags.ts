import * as z from 'zod'
import { countsQuery, countView } from '../../../src/storefront/tags/scans/scan-routes.ts'
import { scanCountDescriptions, withDescriptions } from '../descriptions.ts'
import { exampleSeconds } from '../examples.ts'
import { outputSchema, ref } from '../json-schema.ts'
import type { OperationGroup } from '../operation.ts'
import { listSheetOperations, sheetSchemas } from './guests/sheets.ts'

/** Operations on tags beyond those of every resource. */
export const createScanGroup = (): OperationGroup => {
  const tags = '/merchants/:merchantId/tags'
  const reading = { method: 'get', access: 'key', scope: 'tags:read' } as const
  return {
    name: 'Scans and prints',
    description: 'Printing tags, writing their chips, and counting their scans.',
    schemas: {
      ScanCount: withDescriptions(outputSchema(countView), scanCountDescriptions),
      ...sheetSchemas,
    },
    operations: [
      {
        id: 'listScans',
        path: `${tags}/:tagId/scans`,
        summary: 'Count the scans of a tag by day and channel',
        description:
          "Returns days with scans in the venue's time zone. `HEAD` requests and prefetches are not counted. Robots, previews and command-line clients such as `curl` are not counted either; their `User-Agent` identifies them.",
        ...reading,
        query: countsQuery,
        responses: {
          200: {
            description: 'Number of scans by day and channel.',
            schema: { type: 'array', items: ref('ScanCount') },
            example: [{ day: '2026-11-20', channel: 'qr', count: 41 }],
          },
        },
        problems: ['not_found'],
      },
      {
        id: 'listAllScans',
        path: '/merchants/:merchantId/scans',
        summary: 'Count the scans of all tags by day and channel',
        description:
          "Returns the sums of all existing tags in the mode of the key, for days with scans in the venue's time zone.",
        ...reading,
        query: countsQuery,
        responses: {
          200: {
            description: 'Number of scans by day and channel.',
            schema: { type: 'array', items: ref('ScanCount') },
            example: [{ day: '2026-11-20', channel: 'qr', count: 412 }],
          },
        },
      },
      {
        id: 'createNfcLink',
        method: 'post',
        path: `${tags}/:tagId/nfc-link`,
        summary: 'Create a link to a page that writes the NFC chip of a tag',
        access: 'key',
        scope: 'tags:write',
        responses: {
          201: {
            description: 'The link. It works without an API key.',
            schema: outputSchema(
              z.object({
                url: z.url().meta({ description: 'Address of the page.' }),
                expiresAt: z
                  .int()
                  .meta({ description: 'Time when the link expires, in seconds since 1970-01-01 UTC.' }),
              }),
            ),
            example: {
              url: `https://menu.example/chip/7KQ2M5XZ8CE4FA9R/${exampleSeconds + 3_600}/v3ja8k2m9qxr5tbw`,
              expiresAt: exampleSeconds + 3_600,
            },
          },
        },
        problems: ['not_found', 'conflict', 'damaged'],
      },
      ...listSheetOperations(tags),
    ],
  }
}
