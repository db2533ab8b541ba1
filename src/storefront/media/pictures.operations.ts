import type * as z from 'zod'
import { limits } from '../../platform/http/fields.ts'
import { type JsonSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { formatSize } from '../../platform/http/openapi/limit-descriptions.ts'
import {
  type ApiOperation,
  type ApiResponse,
  notModified,
  type OperationGroup,
} from '../../platform/http/openapi/operation.ts'
import { pictureTypes } from './formats/picture.ts'
import { pictureView } from './picture-routes.ts'
import { pictureRetentionDays } from './picture-statements.ts'
import { resizedWidths } from './picture-widths.ts'
import { substituteSeconds } from './serve-picture.ts'

const example = {
  url: 'https://menu.example/i/2v6q0k5m8r1t4x7z9c3f6h8k0n2q5s7v-1600-800-176',
  width: 1600,
  height: 1200,
} satisfies z.core.output<typeof pictureView>

const binary: JsonSchema = { type: 'string', contentMediaType: 'application/octet-stream' }
const parts: JsonSchema = {
  type: 'object',
  properties: {
    image: { ...binary, description: 'The picture.' },
    variant: {
      type: 'array',
      items: binary,
      maxItems: limits.pictureVariants,
      description: 'Smaller files of the same picture. Each must have a different width.',
    },
  },
  required: ['image'],
  additionalProperties: false,
}
const file = { ...Object.fromEntries(pictureTypes.map((type) => [type, binary])), 'multipart/form-data': parts }

const about = `The body of an upload is the picture, or a form with the part \`image\` and up to ${limits.pictureVariants} parts \`variant\`. A file has up to ${formatSize(limits.pictureBytes)} and ${limits.picturePixels.toLocaleString('en')} pixels, a form up to ${formatSize(limits.uploadBytes)}. The content decides the format. Metadata and bytes after the end of the picture are removed. The orientation is kept.`

const upload = (operation: Pick<ApiOperation, 'id' | 'path' | 'summary' | 'scope'>, effect: string): ApiOperation => ({
  method: 'post',
  description: effect,
  access: 'key',
  file,
  condition: 'If-Match',
  responses: {
    201: { description: 'The stored picture.', schema: ref('Picture'), example, headers: ['Location'] },
  },
  problems: ['not_found', 'malformed_body', 'quota_exceeded', 'damaged'],
  ...operation,
})

/** Uploads of pictures. */
export default {
  name: 'Pictures',
  description: `Pictures that the service stores and serves: JPEG, PNG, WebP and AVIF. Pictures that no product, menu or merchant uses are deleted after ${pictureRetentionDays} days. ${about}`,
  schemas: { Picture: outputSchema(pictureView) },
  operations: [
    upload(
      {
        id: 'addProductImage',
        path: '/merchants/:merchantId/products/:productId/images',
        summary: 'Upload a picture of a product',
        scope: 'products:write',
      },
      'Appends the picture to `images`.',
    ),
    upload(
      {
        id: 'setMenuBanner',
        path: '/merchants/:merchantId/menus/:menuId/banner',
        summary: 'Upload the banner of a menu',
        scope: 'menus:write',
      },
      'Sets `branding.banner`.',
    ),
    upload(
      {
        id: 'setMenuIcon',
        path: '/merchants/:merchantId/menus/:menuId/icon',
        summary: 'Upload the icon of a menu',
        scope: 'menus:write',
      },
      'Sets `branding.icon`.',
    ),
    upload(
      {
        id: 'setLogo',
        path: '/merchants/:merchantId/logo',
        summary: 'Upload the logo of the merchant',
        scope: 'merchant:write',
      },
      'Sets `logo` of the merchant. Requires a live key.',
    ),
  ],
} satisfies OperationGroup

const describeFile = (description: string): ApiResponse => ({
  description,
  schema: {},
  contentType: pictureTypes[0] ?? '',
  otherContent: Object.fromEntries(pictureTypes.slice(1).map((type) => [type, {}])),
  headers: ['ETag'],
})

/** The operation that serves a picture. */
export const servePicture: ApiOperation = {
  id: 'retrievePicture',
  method: 'get',
  path: '/i/:picture',
  summary: 'Retrieve a picture',
  description: 'The content of an address never changes.',
  access: 'anyone',
  responses: {
    200: describeFile('The picture.'),
    304: notModified,
  },
  problems: ['not_found', 'unavailable'],
}

/** The operation that serves a smaller file of a picture. */
export const serveResizedPicture: ApiOperation = {
  id: 'retrieveResizedPicture',
  method: 'get',
  path: '/i/:picture/:width',
  summary: 'Retrieve a smaller file of a picture',
  description: `The widths are ${resizedWidths.join(', ')} pixels. The first request creates a smaller file, if the service has Cloudflare's Images binding. The response is the picture itself if it is not wider, or is animated. If creating a file fails, the response is also the picture itself, cached for ${substituteSeconds} seconds.`,
  access: 'anyone',
  responses: {
    200: describeFile('The smaller file, or the picture itself.'),
    304: notModified,
  },
  problems: ['not_found', 'unavailable'],
}
