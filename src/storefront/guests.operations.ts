import * as z from 'zod'
import { hoursFields } from '../catalogue/resources/venue-hours.ts'
import { profileFields } from '../catalogue/resources/venue-profile.ts'
import { withDescriptions } from '../platform/http/openapi/descriptions.ts'
import { describedLike, inputSchema, type JsonSchema, outputSchema, ref } from '../platform/http/openapi/json-schema.ts'
import {
  type ApiOperation,
  type ApiResponse,
  createPageResponseSpec,
  notModified,
  type OperationGroup,
} from '../platform/http/openapi/operation.ts'
import { servePicture, serveResizedPicture } from './media/pictures.operations.ts'
import { menuExample, publicMenuDescriptions } from './menu/menu-data.operations.ts'
import { menuData } from './menu/menu-data.ts'
import { atField, ofData, ofKey, withProblems } from './menu/preview/past-menu.operations.ts'
import { listLinkedSheetOperations } from './print/sheets.operations.ts'
import { pictureQuery } from './qr/qr-routes.ts'
import { callLimits } from './tags/calls/call-limits.ts'
import { callForm } from './tags/calls/calls.operations.ts'
import { seatHours } from './tags/calls/seat.ts'

const codeQuery = z.object({
  code: z.string().optional().meta({ description: 'A code, id or alias of a tag, typed by a guest.' }),
  lang: z.string().optional().meta({ description: 'Language of the page. Default: that of the browser.' }),
})

/** Parameters of an address to which a tag has redirected. */
const seatQuery = {
  seat: z.string().optional().meta({ description: 'Proof of the scan. With it, the page has the buttons for calls.' }),
  asked: z.string().optional().meta({ description: 'The call that was taken: `call` or `bill`.' }),
}

/** Query parameters of a menu. Unknown parameters are ignored. */
const dataQuery = z.object({
  tag: z
    .string()
    .optional()
    .meta({ description: 'The scanned tag: its id or one of its codes. A tag of another merchant is ignored.' }),
  at: atField,
  diet: z.string().optional().meta({
    description: 'Shows only products that suit all of these diets, separated by commas: `vegan,gluten_free`.',
  }),
  without: z.string().optional().meta({
    description:
      'Shows only products that state their allergens and do not contain these, traces included. Separated by commas: `nuts,milk`.',
  }),
  from: z.string().optional().meta({ description: 'Start of a part of a long menu: `nextFrom` of the previous part.' }),
})
const pageQuery = dataQuery.extend({
  lang: z.string().optional().meta({
    description:
      "Language of the service's texts and of prices. Default: the language of the browser, otherwise of the menu.",
  }),
})

const previewQuery = {
  preview: z.string().optional().meta({
    description: 'Signed preview: `POST …/preview` returns the address with it. Replaces `tag` and `at`.',
  }),
}

/** Pages and pictures for the phones of guests. */
const written: JsonSchema = { properties: { venue: inputSchema(z.object({ ...profileFields, ...hoursFields })) } }
const open = { method: 'get', access: 'anyone' } as const
const unknown = { 404: createPageResponseSpec('The address is unknown.') }
const suspended = { 403: createPageResponseSpec('The operator has suspended or closed the merchant.') }
const unavailable = { 503: createPageResponseSpec('The service is not available. Try again later.', ['Retry-After']) }
const limited = {
  429: createPageResponseSpec('Too many unknown codes, keys or menus from one IP address.', ['Retry-After']),
}
const scanned = {
  302: { description: 'Redirect to the menu.', headers: ['Location'] },
  ...suspended,
  ...unknown,
  410: createPageResponseSpec('The tag was deleted.'),
  ...limited,
  ...unavailable,
} as const
const notShown = {
  304: notModified,
  ...suspended,
  ...unknown,
  422: createPageResponseSpec('The link is incomplete.'),
  ...limited,
  ...unavailable,
} as const
const notShownAtTime = withProblems(notShown)
const picture = (format: string, response: Pick<ApiResponse, 'schema' | 'contentType'>): ApiOperation => ({
  id: `draw${format}`,
  path: `/t/:code/qr.${format.toLowerCase()}`,
  summary: `Retrieve the QR code of a tag as ${format}`,
  ...open,
  query: pictureQuery,
  responses: {
    200: { description: 'The picture. It never changes.', ...response, headers: ['ETag'] },
    304: notModified,
  },
  problems: ['not_found', 'gone', 'rate_limited', 'misconfigured', 'unavailable'],
})
const allergenSheet = ({
  shown,
  ...operation
}: Pick<ApiOperation, 'id' | 'path' | 'summary'> & { shown: ApiResponse }): ApiOperation => ({
  ...operation,
  description: 'A table to print. Products without `allergens` are marked as not stated.',
  ...open,
  query: pageQuery,
  responses: { 200: shown, ...notShownAtTime },
  problems: ofKey,
})
export default {
  name: 'Guests',
  description:
    'Pages that guests open with their phones. Printed addresses are in capital letters, which are equivalent.',
  // `Offer` and `retrieveOffer` are names in generated clients, so they cannot change. In the code this is `menuData`.
  schemas: { Offer: describedLike(withDescriptions(outputSchema(menuData), publicMenuDescriptions), written) },
  operations: [
    {
      id: 'followTag',
      path: '/t/:code',
      summary: 'Open the address of a tag',
      description:
        'Redirects a scan. Takes a code, an id or an alias, in upper or lower case. Ignores a slash, white space and punctuation after the code.',
      ...open,
      responses: scanned,
    },
    {
      id: 'typeCode',
      path: '/t',
      summary: 'Open the page on which a guest types a code',
      description:
        'The page is in the language of the browser. It is also the front page of the host of `PUBLIC_BASE_URL`.',
      ...open,
      query: codeQuery,
      responses: {
        200: createPageResponseSpec('The page.', ['ETag']),
        302: { description: 'With `code`: redirect to the address of the tag.', headers: ['Location'] },
        304: notModified,
      },
      problems: ['unavailable'],
    },
    {
      id: 'tapTag',
      path: '/n/:code/:signature',
      summary: 'Open the address of an NFC chip',
      description:
        'Redirects a tap. The first tap by a guest sets `nfc`. Requests of `curl`, robots and previews are redirected, but do not set `nfc` and do not count as scans. Their `User-Agent` identifies them.',
      ...open,
      responses: scanned,
    },
    picture('PNG', { schema: {}, contentType: 'image/png' }),
    picture('SVG', { schema: { type: 'string' }, contentType: 'image/svg+xml' }),
    {
      id: 'openChipWriter',
      path: '/chip/:code/:expires/:seal',
      summary: 'Open the page that writes an NFC chip',
      ...open,
      responses: {
        200: createPageResponseSpec('The page. It requires Chrome on Android.'),
        ...unknown,
        410: createPageResponseSpec('The link has expired, or the tag was deleted.'),
        ...unavailable,
      },
    },
    ...listLinkedSheetOperations({ ...unknown, ...unavailable }),
    {
      id: 'readMenu',
      path: '/m/:merchantId',
      summary: 'Open the menu of a venue',
      ...open,
      query: pageQuery.extend({ ...previewQuery, ...seatQuery }),
      responses: {
        200: createPageResponseSpec('The menu.', ['ETag']),
        ...notShownAtTime,
      },
      problems: ofKey,
    },
    {
      id: 'callStaff',
      method: 'post',
      access: 'anyone',
      path: '/m/:merchantId/requests',
      summary: 'Call the staff from a table',
      description: `The form of the hosted menu. Its \`seat\` is a parameter of the address to which the tag redirects, if the venue has switched calls on in \`menuBar\` and has no \`orderingUrl\`. It is valid for at least ${seatHours} hours. While the same call of a table is open, it is not raised again.`,
      file: { 'application/x-www-form-urlencoded': inputSchema(callForm) },
      ignoresIdempotencyKey: true,
      responses: {
        303: { description: 'The call is taken: redirect to the menu.', headers: ['Location'] },
        403: createPageResponseSpec(
          'The seat is missing, has expired or belongs to another tag, or the venue takes no such calls.',
        ),
        ...unknown,
        409: createPageResponseSpec('The venue is paused, closed or suspended.'),
        410: createPageResponseSpec('The tag was deleted.'),
        422: createPageResponseSpec('The form is incomplete.'),
        429: createPageResponseSpec(
          `More than ${callLimits.ofTag} calls of a tag in ${callLimits.ofTagSeconds / 60} minutes, more than ${callLimits.openOfVenue} open calls of the venue, or too many invalid seats.`,
          ['Retry-After'],
        ),
        ...unavailable,
      },
      problems: ['unsupported_media_type', 'body_too_large', 'busy'],
    },
    {
      id: 'retrieveManifest',
      path: '/m/:merchantId/manifest.webmanifest',
      summary: 'Retrieve the web app manifest of a menu',
      ...open,
      responses: {
        200: {
          description: 'The manifest, with which a phone puts the menu on its home screen.',
          schema: { type: 'object' },
          contentType: 'application/manifest+json',
          headers: ['ETag'],
        },
        304: notModified,
      },
      problems: ['not_found', 'merchant_suspended', 'rate_limited', 'unavailable'],
    },
    allergenSheet({
      id: 'readAllergenSheet',
      path: '/m/:merchantId/allergens',
      summary: 'Open the allergens of all products of a venue',
      shown: createPageResponseSpec('The table.', ['ETag']),
    }),
    allergenSheet({
      id: 'retrieveAllergenPdf',
      path: '/m/:merchantId/allergens.pdf',
      summary: 'Retrieve the allergens of all products of a venue as a PDF',
      shown: { description: 'The table.', schema: {}, contentType: 'application/pdf', headers: ['ETag'] },
    }),
    {
      id: 'retrieveOffer',
      path: '/m/:merchantId.json',
      summary: 'Retrieve the menu of a venue as JSON',
      ...open,
      query: dataQuery.extend(previewQuery),
      responses: {
        200: { description: 'The menu.', schema: ref('Offer'), example: menuExample, headers: ['ETag', 'Link'] },
        304: notModified,
      },
      problems: ofData,
    },
    servePicture,
    serveResizedPicture,
  ],
} satisfies OperationGroup
