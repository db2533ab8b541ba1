import * as z from 'zod/mini'
import { wholeNumber } from '../../../platform/http/fields/query-parameters.ts'
import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { ref } from '../../../platform/http/openapi/json-schema.ts'
import { type ApiOperation, capitalize, createListResponse } from '../../../platform/http/openapi/operation.ts'
import type { objectQuery, objectQueryWithDetails } from '../../../platform/http/pagination.ts'
import type { ResourceDefinition } from '../definition.ts'
import { historyDays } from './past.ts'
import { versionsQuery } from './version-routes.ts'
import type { Version } from './version-view.ts'

/** Query parameter of requests for one object as it was. */
export const pastFields = {
  at: z
    .optional(wholeNumber)
    .check(
      z.describe(
        `Returns the object as it was at the end of this second, in seconds since 1970-01-01 UTC, at most ${historyDays} days ago. \`404\` if it did not exist then. Excludes \`include\`.`,
      ),
    ),
}

/** A query of objects with the fields that ask for the past. */
export const withPast = (query: typeof objectQuery | typeof objectQueryWithDetails) =>
  z.object({ ...query.shape, ...pastFields })

const example: Version = {
  part: 'object',
  change: 'updated',
  version: 2,
  at: exampleSeconds,
  by: exampleId('key'),
  changed: {},
}

/** The operation that lists the versions of an object. */
export const createVersionsOperation = ({ name, path }: Pick<ResourceDefinition, 'name' | 'path'>): ApiOperation => ({
  id: `list${capitalize(name)}Versions`,
  method: 'get',
  path: `/merchants/:merchantId/${path}/:${name}Id/versions`,
  summary: `List the versions of a ${name} of the last ${historyDays} days, newest first`,
  description: 'Each version has the changed fields before and after. Deleted objects have versions too.',
  access: 'key',
  scope: `${path}:read`,
  query: versionsQuery,
  responses: { 200: createListResponse(ref('ObjectVersion'), example) },
  problems: ['not_found'],
})
