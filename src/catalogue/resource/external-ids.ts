import { eq, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, param, perFlag } from '../../platform/db/database.ts'
import { ConstraintError, getConstraintSubject } from '../../platform/db/database-errors.ts'
import { listed, withoutIndex } from '../../platform/db/query.ts'
import { externalIdOf, externalIdTable as externalIds, resourceOf } from '../../platform/db/schema/external-ids.ts'
import { ApiError } from '../../platform/errors.ts'
import type { ResourceDefinition } from './definition.ts'
import { selectDetails, selectHasDetails } from './details/details-columns.ts'

/** SQL for "in the namespace of the merchant, mode and resource". A resource that spans both modes has one namespace. */
export const isInNamespace = ({ table, spansModes }: Pick<ResourceDefinition, 'table' | 'spansModes'>) =>
  allOf(
    eq(externalIds.merchantId, param('merchantId')),
    spansModes ? sql`${externalIds.testMode} = 0` : eq(externalIds.testMode, param('testMode')),
    sql`${externalIds.resource} = ${resourceOf(table)}`,
  )

/** SQL for the `seq` of the objects `:externalIds`, a JSON list. */
export const selectNamed = (resource: Pick<ResourceDefinition, 'table' | 'spansModes'>) =>
  sql`select ${externalIds.object} from ${externalIds} where ${allOf(isInNamespace(resource), sql`${externalIds.externalId} in ${listed('externalIds')}`)}`

/** Statements about external ids of one resource. `bothModes`: the key can access objects of both modes. */
export function createExternalIdStatements(resource: ResourceDefinition) {
  const { table } = resource
  const select = (bothModes: boolean, seqs: SQL, details = sql``) => {
    const isReachable = allOf(
      sql`${withoutIndex(table.merchantId)} = ${param('merchantId')}`,
      bothModes ? undefined : eq(table.testMode, param('testMode')),
      sql`${table.seq} in (${seqs})`,
    )
    return compile(sql`select *, ${externalIdOf(table)} as external_id${details} from ${table} where ${isReachable}`)
  }
  const finds = perFlag((includesDetails) => {
    const details = sql`${selectDetails(resource, includesDetails)}${selectHasDetails(resource)}`
    return perFlag((bothModes) => {
      const isNamed = allOf(isInNamespace(resource), eq(externalIds.externalId, param('externalId')))
      return select(bothModes, sql`select ${externalIds.object} from ${externalIds} where ${isNamed}`, details)
    })
  })
  return {
    /** The row of the object `:externalId`, with `external_id`. */
    find: (bothModes: boolean, includesDetails = false) => finds(includesDetails)(bothModes),

    /** The rows of the objects `:externalIds`, a JSON list, with `external_id`. */
    findAll: perFlag((bothModes) => select(bothModes, selectNamed(resource))),
  }
}

/** Whether a write failed because another object has the external id. */
export const isExternalIdTaken = (error: unknown): boolean =>
  error instanceof ConstraintError && error.subject.includes(getConstraintSubject(externalIds.externalId))

/** The problem of an external id that another object has. */
export const externalIdTaken = ({ name }: Pick<ResourceDefinition, 'name'>) =>
  new ApiError('conflict', `Another ${name} has the same externalId.`, [
    { pointer: '/externalId', code: 'duplicate', message: `is that of another ${name}` },
  ])
