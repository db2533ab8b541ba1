import type { Caller } from '../../../catalogue/resource/caller.ts'
import { compareTranslations } from '../../../catalogue/resource/details/plan-details.ts'
import {
  type RelatedModifier,
  type RelatedProduct,
  readRelated,
} from '../../../catalogue/resource/details/related-objects.ts'
import { findAddresses, readHosts } from '../../../catalogue/resource/details/venue-hosts.ts'
import type { Values } from '../../../platform/db/database.ts'
import { detailsColumn } from '../../../platform/db/schema/objects/details.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { limits } from '../../../platform/http/fields.ts'
import type { BatchOperation } from '../operation.ts'
import type { Read } from '../plan/find-objects.ts'
import type { Step } from '../plan/operation-step.ts'
import { forRows } from '../statements/row-parameters.ts'
import {
  type DetailedBatch,
  type DetailName,
  findRelated,
  listDetailNames,
  loadDetailed,
  relatedPaths,
  requireDefinedRefs,
} from './detailed-batch.ts'
import { createDetailsPlanner } from './details-planner.ts'

/** Ids and external ids of objects. */
interface Keys {
  ids: string[]
  externalIds: string[]
}

const toParameters = ({ ids, externalIds }: Keys) => ({
  ids: JSON.stringify(ids),
  externalIds: JSON.stringify(externalIds),
})

/** Keys of the existing objects whose details the operations change. */
function listOwnKeys({ batch }: DetailedBatch, operations: readonly BatchOperation[]): Keys {
  const own = operations.filter(
    ({ op, resource, details }) => details && op !== 'create' && resource === batch.resource.path,
  )
  return {
    ids: own.flatMap(({ id }) => id ?? []),
    externalIds: own.flatMap(({ id, externalId }) => (id === undefined ? (externalId ?? []) : [])),
  }
}

/** Keys of the objects that details name. A `ref` names an object by its operation. */
function listNamedKeys(names: readonly DetailName[], operations: readonly BatchOperation[]): Keys {
  const byRef = new Map(operations.map((operation) => [operation.ref, operation]))
  const keys: Keys = { ids: [], externalIds: [] }
  for (const { name } of names) {
    if ('id' in name) keys.ids.push(name.id)
    else if ('externalId' in name) keys.externalIds.push(name.externalId)
    else keys.externalIds.push(byRef.get(name.ref)?.externalId ?? '')
  }
  return keys
}

/** The statements that write the details of some objects of a resource. */
function listResourceWrites({ statements }: DetailedBatch, steps: readonly Step[], values: Values): Write {
  const changes = steps.flatMap(({ id, details }) =>
    details?.change ? [{ id, shown: details.shown, ...details.change }] : [],
  )
  const texts = changes.map(({ id, stored, before }) => ({ id, ...compareTranslations(before, stored) }))
  return [
    ...forRows(
      statements.write,
      values,
      changes.map(({ id, version, stored: { translations: _, ...data } }) => ({ id, expected: version, data })),
    ),
    ...forRows(
      statements.removeLanguages,
      values,
      texts.flatMap(({ id, removed }) => removed.map((language) => ({ id, language }))),
    ),
    ...forRows(
      statements.translate,
      values,
      texts.flatMap(({ id, changed }) => changed.map(([language, texts]) => ({ id, language, texts }))),
    ),
    ...forRows(
      statements.insertEvents,
      values,
      changes.map(({ id, version, shown, previous }) => ({
        ...{ id, expected: version, previous },
        row: { id, details: shown },
      })),
    ),
  ]
}

/** The part of a batch that reads, plans and writes the details of its operations. */
export async function createBatchDetails({ scope }: Pick<Caller, 'scope'>, operations: readonly BatchOperation[]) {
  const all = await loadDetailed(operations, scope)
  const listNames = ({ resource, details }: BatchOperation) => {
    const detailed = details && all.find(({ batch }) => batch.resource.path === resource)
    return detailed ? listDetailNames(detailed, details) : []
  }
  requireDefinedRefs(operations, listNames)
  const names = operations.flatMap(listNames)
  const rows = new Map<string, { text: string | null; version: number }>()
  const related = { products: new Map<string, RelatedProduct>(), modifiers: new Map<string, RelatedModifier>() }
  const venue: { hosts?: readonly string[] } = {}
  const planner = createDetailsPlanner(scope.merchantId, all, { rows, related, venue })

  return {
    read: planner.read,
    plan: planner.plan,

    /** The details of an object as they were read. Undefined if it has none. */
    getText: (id: string) => rows.get(id)?.text,

    /** External ids of the objects that details name, by resource. */
    externalIds: new Map(
      relatedPaths.map((path) => {
        const own = names.flatMap(({ target, name }) =>
          target === path && 'externalId' in name ? [name.externalId] : [],
        )
        return [path, new Set(own)] as const
      }),
    ),

    /** The statements that read details and the objects that they name. `addBytes` takes the size of stored details. */
    *listReads(addBytes: (bytes: number) => void): Iterable<Read> {
      for (const detailed of all) {
        const keys = listOwnKeys(detailed, operations)
        if (keys.ids.length + keys.externalIds.length === 0) continue
        const values = { ...scope, ...toParameters(keys), maxBytes: limits.batchObjectBytes }
        yield [
          detailed.statements.find(),
          values,
          (read) => {
            addBytes(Number(read[0]?.['total_bytes'] ?? 0))
            for (const { id, version, [detailsColumn]: text } of read) {
              if (typeof text === 'string') rows.set(String(id), { text, version: Number(version) })
            }
          },
        ]
      }
      if (all.some(({ definition }) => definition.namesHosts)) {
        yield [
          findAddresses(),
          { ...scope },
          (read) => {
            const addresses = read[0]?.['addresses']
            venue.hosts = readHosts(typeof addresses === 'string' ? addresses : null)
          },
        ]
      }
      for (const path of relatedPaths) {
        const keys = listNamedKeys(
          names.filter(({ target }) => target === path),
          operations,
        )
        if (keys.ids.length + keys.externalIds.length === 0) continue
        yield [
          findRelated()[path],
          { ...scope, ...toParameters(keys) },
          (read) => {
            const list = read.map((row): unknown => JSON.parse(String(row['related'])))
            const found = path === 'products' ? readRelated(list, []) : readRelated([], list)
            for (const [id, product] of found.products) related.products.set(id, product)
            for (const [id, modifier] of found.modifiers) related.modifiers.set(id, modifier)
          },
        ]
      }
    },

    /** The statements that write the planned details, each object's event behind them. */
    listWrites(values: Values): Write {
      const changed = planner.listChanged()
      return all.flatMap((detailed) =>
        listResourceWrites(
          detailed,
          changed.filter(({ batch }) => batch === detailed.batch),
          values,
        ),
      )
    },
  }
}
