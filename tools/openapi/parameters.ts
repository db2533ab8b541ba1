import type * as z from 'zod'
import { limits } from '../../src/platform/http/fields.ts'
import { type Descriptions, withDescriptions } from '../../src/platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../src/platform/http/openapi/examples.ts'
import { type JsonSchema, outputSchema } from '../../src/platform/http/openapi/json-schema.ts'
import type { ApiOperation } from '../../src/platform/http/openapi/operation.ts'
import { resourceIdentities } from '../../src/platform/names.ts'
import { defaultDays, maxDays } from '../../src/storefront/tags/scans/scan-routes.ts'

/** Descriptions and examples of path parameters. */
const pathDescriptions: Readonly<Record<string, { description: string; example: string }>> = {
  merchantId: { description: 'Id of the merchant.', example: exampleId('mer') },
  ...Object.fromEntries(
    Object.entries(resourceIdentities).map(([name, { idPrefix }]) => [
      `${name}Id`,
      { description: `Id of the ${name}.`, example: exampleId(idPrefix) },
    ]),
  ),
  externalId: {
    description: `External id of the object: 1–${limits.externalId} characters, percent-encoded.`,
    example: 'ARTICLE-17',
  },
  eventId: { description: 'Id of the event.', example: exampleId('evt') },
  redemptionId: { description: 'Id of the redemption.', example: exampleId('red') },
  changeSetId: { description: 'Id of the change set.', example: exampleId('chs') },
  importId: { description: 'Id of the import.', example: exampleId('imp') },
  releaseId: { description: 'Id of the release.', example: exampleId('rel') },
  targetId: { description: 'Id of the object that the operation changes.', example: exampleId('prod') },
  keyId: { description: 'Id of the API key.', example: exampleId('key') },
  screen: { description: 'Name of a screen or of a file.', example: 'products' },
  object: { description: 'Id of the opened object.', example: exampleId('prod') },
  takenAt: { description: 'Time of the backup, in seconds since 1970-01-01 UTC.', example: String(exampleSeconds) },
  operatorId: { description: 'Id of the operator.', example: exampleId('opr') },
  memberId: { description: 'Id of the member.', example: exampleId('usr') },
  invitationId: { description: 'Id of the invitation.', example: exampleId('inv') },
  passkeyId: { description: 'Id of the passkey, in base64url.', example: 'EXAMPLE0EXAMPLE0EXAMPLE0' },
  noticeId: { description: 'Id of the notice.', example: exampleId('ntc') },
  sessionId: { description: 'Id of the session.', example: exampleId('ses') },
  code: { description: 'Code, id or alias of the tag, in upper or lower case.', example: '7KQ2M5XZ8CE4FA9R' },
  kind: { description: 'Kind of the call: `call` or `bill`.', example: 'bill' },
  guide: { description: 'Name of the guide.', example: 'webhooks' },
  picture: {
    description: 'Name of the file: a digest and its width, then the widths of the other files of the picture.',
    example: '2v6q0k5m8r1t4x7z9c3f6h8k0n2q5s7v-1600-800-176',
  },
  width: { description: 'The letter `w` and the width in pixels.', example: 'w176' },
  signature: { description: 'Signature that only the chip contains.', example: 'v3ja8k2m9qxr5tbw' },
  expires: {
    description: 'Time when the link expires, in seconds since 1970-01-01 UTC.',
    example: `${exampleSeconds + 3_600}`,
  },
  seal: { description: 'Signature of the service.', example: 'v3ja8k2m9qxr5tbw' },
}

/** The names of the parameters in a path. */
export const pathParameters = (path: string) => Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)

/** The path parameters of an operation. Throws for a parameter without a description. */
export const describePath = ({ path }: ApiOperation) =>
  pathParameters(path).map((name) => {
    const parameter = pathDescriptions[name]
    if (!parameter) throw new Error(`The parameter ${name} of ${path} has no description.`)
    return { name, in: 'path', required: true, ...parameter, schema: { type: 'string' } }
  })

/** Descriptions of query parameters. */
const queryDescriptions: Descriptions = {
  from: `First day: YYYY-MM-DD. Default: ${defaultDays - 1} days before the last day. At most ${maxDays - 1} days before it.`,
  to: 'Last day in the time zone of the venue: YYYY-MM-DD. Default: today.',
}

/** The query parameters of an operation. Their schemas are those of the parsed values. */
export function describeQuery(query: z.core.$ZodType) {
  const { properties = {}, required = [] } = withDescriptions(outputSchema(query), queryDescriptions)
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest }: JsonSchema = typeof schema === 'object' ? schema : {}
    return {
      name,
      in: 'query',
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
    }
  })
}
