import * as z from 'zod'
import { withDescriptions } from '../../../platform/http/openapi/descriptions.ts'
import { exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { outputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import { createArrayResponse, type OperationGroup } from '../../../platform/http/openapi/operation.ts'
import { listSheetOperations, sheetSchemas } from '../../print/sheets.operations.ts'
import { allCountsQuery, countsQuery, countView, hourCountView, tagCountView } from './scan-routes.ts'

export const scanCountDescriptions = {
  day: 'Day in the time zone of the venue: YYYY-MM-DD.',
  channel: '`qr`: scan of the QR code. `nfc`: tap of the chip. `link`: every other visit of the address.',
  count: 'Number of scans.',
}

const tagScanDescriptions = {
  tag: 'Id of the tag.',
  count: 'Number of scans in the range.',
  lastDay: 'Day of the last scan in the range: YYYY-MM-DD.',
}

const hourScanDescriptions = {
  hour: 'Hour of the day in the time zone of the venue: 0 to 23.',
  count: 'Number of scans in this hour on all days of the range.',
}

/** Operations on tags beyond those of every resource. */
const tags = '/merchants/:merchantId/tags'
const reading = { method: 'get', access: 'key', scope: 'tags:read' } as const
export default {
  name: 'Scans and prints',
  description: 'Printing tags, writing their chips, and counting their scans.',
  schemas: {
    ScanCount: withDescriptions(outputSchema(countView), scanCountDescriptions),
    TagScans: withDescriptions(outputSchema(tagCountView), tagScanDescriptions),
    HourScans: withDescriptions(outputSchema(hourCountView), hourScanDescriptions),
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
        200: createArrayResponse('Number of scans by day and channel.', ref('ScanCount'), [
          { day: '2026-11-20', channel: 'qr', count: 41 },
        ]),
      },
      problems: ['not_found'],
    },
    {
      id: 'listAllScans',
      path: '/merchants/:merchantId/scans',
      summary: 'Count the scans of all tags by day and channel, by tag, or by hour',
      description:
        "Returns the sums of all existing tags in the mode of the key, for days with scans in the venue's time zone. With `by=tag`, returns one sum for each tag that was scanned. With `by=hour`, returns one sum for each hour of the day with scans, including those of deleted tags; hours are counted since the release that added them.",
      ...reading,
      query: allCountsQuery,
      responses: {
        200: createArrayResponse(
          'Number of scans by day and channel, by tag, or by hour.',
          { anyOf: [ref('ScanCount'), ref('TagScans'), ref('HourScans')] },
          [{ day: '2026-11-20', channel: 'qr', count: 412 }],
        ),
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
              expiresAt: z.int().meta({ description: 'Time when the link expires, in seconds since 1970-01-01 UTC.' }),
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
} satisfies OperationGroup
