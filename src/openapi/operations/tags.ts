import * as z from 'zod'
import { menuData } from '../../menu/menu-data.ts'
import { sheetQuery } from '../../print/sheet-routes.ts'
import { pictureQuery } from '../../qr/qr-routes.ts'
import { countsQuery, countView } from '../../tags/scan-routes.ts'
import { publicMenuDescriptions, scanCountDescriptions, withDescriptions } from '../descriptions.ts'
import { exampleId, exampleSeconds } from '../examples.ts'
import { outputSchema, ref } from '../json-schema.ts'
import { type ApiOperation, type ApiResponse, createPageResponseSpec, type OperationGroup } from '../operation.ts'

/** What a merchant does with tags besides keeping them. */
export const createScanGroup = (): OperationGroup => {
  const tags = '/merchants/:merchantId/tags'
  const reading = { method: 'get', access: 'key', scope: 'tags:read' } as const
  return {
    name: 'Scans and prints',
    description: 'Tags in use: printing them, writing their chips, counting their scans.',
    schemas: { ScanCount: withDescriptions(outputSchema(countView), scanCountDescriptions) },
    operations: [
      {
        id: 'listScans',
        path: `${tags}/:tagId/scans`,
        summary: 'Count the scans of a tag by day and channel',
        description:
          "Days by the venue's clock; those without scans are left out. Not counted are HEAD, pages loaded in advance, and robots, previews and command-line clients such as `curl`, by the names they send as `User-Agent`.",
        ...reading,
        query: countsQuery,
        responses: {
          200: {
            description: 'The counts.',
            schema: { type: 'array', items: ref('ScanCount') },
            example: [{ day: '2026-11-20', channel: 'qr', count: 41 }],
          },
        },
        problems: ['not_found'],
      },
      {
        id: 'createNfcLink',
        method: 'post',
        path: `${tags}/:tagId/nfc-link`,
        summary: "Make a link to a page that writes the tag's chip",
        access: 'key',
        scope: 'tags:write',
        responses: {
          201: {
            description: 'The link; who holds it needs no key.',
            schema: outputSchema(
              z.object({
                url: z.url().meta({ description: 'Where the page is.' }),
                expiresAt: z.int().meta({ description: 'Until when, in seconds since 1970-01-01 UTC.' }),
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
      {
        id: 'printSheet',
        path: `${tags}/sheet`,
        summary: 'Print tags, as a page',
        ...reading,
        query: sheetQuery,
        responses: { 200: createPageResponseSpec('The sheet.', ['Link']) },
        problems: ['not_found'],
      },
      {
        id: 'printSheetPdf',
        path: `${tags}/sheet.pdf`,
        summary: 'Print tags, as a PDF',
        ...reading,
        query: sheetQuery,
        responses: {
          200: { description: 'The sheet.', schema: {}, contentType: 'application/pdf', headers: ['Link'] },
        },
        problems: ['not_found'],
      },
    ],
  }
}

/** What a menu's address takes; parameters of others are ignored. */
const dataQuery = z.object({
  tag: z
    .string()
    .optional()
    .meta({ description: "The tag that was scanned, by any of its names; others' are ignored." }),
  at: z.string().optional().meta({ description: 'A moment, in seconds or ISO 8601 with its offset; by default now.' }),
  from: z
    .string()
    .optional()
    .meta({ description: 'Where on the menu to begin: the number in the link to the rest of a long menu.' }),
})
const pageQuery = dataQuery.extend({
  lang: z.string().optional().meta({ description: 'A language; by default that of the browser and the menu.' }),
})

const offer = {
  venue: {
    id: exampleId('mer'),
    name: 'Three Otters',
    timezone: 'Europe/Lisbon',
    currency: 'EUR',
    direction: 'ltr',
    locale: 'en',
    language: 'en',
  },
  testMode: false,
  tag: { id: exampleId('tag'), metadata: [{ key: 'table', value: '4' }], label: 'Table 4' },
  availableAt: exampleSeconds,
  nextChangeAt: exampleSeconds + 9_000,
  nextMenus: [],
  menus: [
    {
      id: exampleId('menu'),
      title: 'Breakfast',
      showSectionNavigation: true,
      allDayMenu: false,
      begin: '0700',
      end: '1130',
      branding: {},
      sections: [
        {
          id: exampleId('sec'),
          title: 'Coffee',
          type: 'LIST',
          products: [
            {
              id: exampleId('prod'),
              title: 'Flat white',
              price: 3.5,
              calories: 120,
              images: [],
              soldOut: false,
              modifiers: [],
            },
          ],
        },
      ],
    },
  ],
  modifiers: [],
  truncated: false,
} satisfies z.core.output<typeof menuData>

/** What phones meet, and the pictures that are printed for them. */
export const createGuestGroup = (): OperationGroup => {
  const open = { method: 'get', access: 'anyone' } as const
  const nothing = { 404: createPageResponseSpec('There is nothing here.') }
  const down = { 503: createPageResponseSpec('Come back in a moment.', ['Retry-After']) }
  const limited = {
    429: createPageResponseSpec('Too many unknown codes, keys or menus from one address.', ['Retry-After']),
  }
  const scanned = {
    302: { description: 'To the menu.', headers: ['Location'] },
    ...nothing,
    410: createPageResponseSpec('The tag was deleted.'),
    ...limited,
    ...down,
  } as const
  const picture = (format: string, answer: Pick<ApiResponse, 'schema' | 'contentType'>): ApiOperation => ({
    id: `draw${format}`,
    path: `/t/:code/qr.${format.toLowerCase()}`,
    summary: `Draw the QR code of a tag as ${format}`,
    ...open,
    query: pictureQuery,
    responses: {
      200: { description: 'The picture, which never changes.', ...answer, headers: ['ETag'] },
      304: { description: 'It is that of `If-None-Match`.', headers: ['ETag'] },
    },
    problems: ['not_found', 'gone', 'rate_limited', 'misconfigured', 'unavailable'],
  })
  return {
    name: 'Guests',
    description: 'What phones meet. Printed addresses are in capitals, which lead to the same.',
    schemas: { Offer: withDescriptions(outputSchema(menuData), publicMenuDescriptions) },
    operations: [
      {
        id: 'followTag',
        path: '/t/:code',
        summary: 'Go where a tag leads',
        description:
          'By its code, its id or an older alias, in any case. A slash, blanks and punctuation behind the code are ignored.',
        ...open,
        responses: scanned,
      },
      {
        id: 'tapTag',
        path: '/n/:code/:signature',
        summary: "Go where a tag's chip leads",
        description:
          'The first tap by a guest sets `nfc`. A request by `curl`, a robot or a preview, told by its `User-Agent`, is redirected but neither sets `nfc` nor counts as a scan.',
        ...open,
        responses: scanned,
      },
      picture('PNG', { schema: {}, contentType: 'image/png' }),
      picture('SVG', { schema: { type: 'string' }, contentType: 'image/svg+xml' }),
      {
        id: 'openChipWriter',
        path: '/chip/:code/:expires/:seal',
        summary: "Write a tag's chip",
        ...open,
        responses: {
          200: createPageResponseSpec('A page for Chrome on Android.'),
          ...nothing,
          410: createPageResponseSpec('The tag was deleted.'),
          ...down,
        },
      },
      {
        id: 'readMenu',
        path: '/m/:merchantId',
        summary: 'Read what a venue offers',
        ...open,
        query: pageQuery,
        responses: {
          200: createPageResponseSpec('The menu.', ['ETag']),
          304: { description: 'It is that of `If-None-Match`.', headers: ['ETag'] },
          ...nothing,
          422: createPageResponseSpec('The link is not complete.'),
          ...limited,
          ...down,
        },
      },
      {
        id: 'retrieveOffer',
        path: '/m/:merchantId.json',
        summary: 'Read what a venue offers, as data',
        ...open,
        query: dataQuery,
        responses: {
          200: { description: 'The menu.', schema: ref('Offer'), example: offer, headers: ['ETag', 'Link'] },
          304: { description: 'It is that of `If-None-Match`.', headers: ['ETag'] },
        },
        problems: ['not_found', 'damaged', 'rate_limited', 'unavailable'],
      },
    ],
  }
}
