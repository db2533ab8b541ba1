import { and, eq, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param, type Statement, type Values } from '../../platform/db/database.ts'
import { ConstraintError, getConstraintSubject } from '../../platform/db/database-errors.ts'
import { columnParam, insertSelect, listed, withoutIndex } from '../../platform/db/query.ts'
import { externalIdOf, externalIdTable as externalIds, resourceOf } from '../../platform/db/schema/external-ids.ts'
import type { Scope } from '../../platform/db/scope.ts'
import { ApiError } from '../../platform/errors.ts'
import type { ResourceDefinition } from './definition.ts'
import { perDetails, selectDetails } from './details/details-columns.ts'

/** An object and its external id, as `:pairs` of `insert` lists them. */
interface ExternalIdPair {
  id: string
  externalId: string
}

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
  const { table, spansModes } = resource
  const perReach = (build: (isReachable: SQL, isReachableByRowid: SQL) => Statement) => {
    const ofMerchant = eq(table.merchantId, param('merchantId'))
    const ofMerchantByRowid = sql`${withoutIndex(table.merchantId)} = ${param('merchantId')}`
    const inMode = eq(table.testMode, param('testMode'))
    const own = lazy(() => build(allOf(ofMerchant, inMode), allOf(ofMerchantByRowid, inMode)))
    const both = lazy(() => build(ofMerchant, ofMerchantByRowid))
    return (bothModes: boolean) => (bothModes ? both() : own())
  }
  const select = (isReachableByRowid: SQL, seqs: SQL, details = sql``) =>
    compile(
      sql`select *, ${externalIdOf(table)} as external_id${details} from ${table} where ${and(isReachableByRowid, sql`${table.seq} in (${seqs})`)}`,
    )
  const finds = perDetails((includesDetails) => {
    const details = selectDetails(resource, includesDetails)
    return perReach((_, isReachableByRowid) => {
      const isNamed = allOf(isInNamespace(resource), eq(externalIds.externalId, param('externalId')))
      return select(isReachableByRowid, sql`select ${externalIds.object} from ${externalIds} where ${isNamed}`, details)
    })
  })
  return {
    /** The row of the object `:externalId`, with `external_id`. */
    find: (bothModes: boolean, includesDetails = false) => finds(includesDetails)(bothModes),

    /** The rows of the objects `:externalIds`, a JSON list, with `external_id`. */
    findAll: perReach((_, isReachableByRowid) => select(isReachableByRowid, selectNamed(resource))),

    /** Inserts the external ids of `:pairs`, a JSON list of `ExternalIdPair`. Fails if another object has one of them. */
    insert: perReach((isReachable) =>
      compile(
        insertSelect(
          externalIds,
          {
            merchantId: table.merchantId,
            testMode: spansModes ? sql`0` : columnParam(externalIds.testMode, 'testMode'),
            resource: resourceOf(table),
            externalId: sql`pair.value ->> 'externalId'`,
            object: table.seq,
          },
          sql`from json_each(${param('pairs')}) as pair cross join ${table} where ${and(isReachable, sql`${table.id} = pair.value ->> 'id'`)}`,
        ),
      ),
    ),

    /** Deletes the external ids of the objects `:ids`, a JSON list. */
    delete: perReach((isReachable) => {
      const objects = sql`select ${table.seq} from ${table} where ${and(isReachable, sql`${table.id} in ${listed('ids')}`)}`
      return compile(
        sql`delete from ${externalIds} where ${externalIds.resource} = ${resourceOf(table)} and ${externalIds.object} in (${objects})`,
      )
    }),
  }
}

/** The parameters of `insert`. */
export const createPairValues = (scope: Scope, pairs: readonly ExternalIdPair[]): Values => ({
  ...scope,
  pairs: JSON.stringify(pairs),
})

/** Whether a write failed because another object has the external id. */
export const isExternalIdTaken = (error: unknown): boolean =>
  error instanceof ConstraintError && error.subject.includes(getConstraintSubject(externalIds.externalId))

/** The problem of an external id that another object has. */
export const externalIdTaken = ({ name }: Pick<ResourceDefinition, 'name'>) =>
  new ApiError('conflict', `Another ${name} has the same externalId.`, [
    { pointer: '/externalId', code: 'duplicate', message: `is that of another ${name}` },
  ])
