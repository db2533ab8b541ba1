import { parseFields } from '../../../platform/http/validation.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { type BatchResource, batchResources } from '../batch-resource.ts'
import { listNames } from '../body-names.ts'
import type { BatchOperation } from '../operation.ts'

/** Keys of one resource to read. */
export interface Wanted {
  batch: BatchResource
  ids: Set<string>
  externalIds: Set<string>
  wholeIds: Set<string>
  wholeExternalIds: Set<string>
  deletedIds: Set<string>
  deletedExternalIds: Set<string>
  /** Values of unique columns, by column. */
  values: Map<string, Set<string>>
  countsObjects: boolean
}

const createWanted = (batch: BatchResource): Wanted => ({
  batch,
  ids: new Set(),
  externalIds: new Set(),
  wholeIds: new Set(),
  deletedIds: new Set(),
  deletedExternalIds: new Set(),
  wholeExternalIds: new Set(),
  values: new Map(Object.keys(batch.resource.uniqueFields).map((key) => [key, new Set()])),
  countsObjects: false,
})

/** Whether the operation needs the whole object: to change it, or, on deletion, to return it or update its copies. */
const needsWhole = ({ op, resource }: BatchOperation, returnObjects: boolean) =>
  op === 'update' || op === 'upsert' || (op === 'delete' && (returnObjects || resource === 'tags'))

/** Adds the values of unique columns that a body sets. */
function addUniqueValues({ batch, values }: Wanted, body: BatchOperation['body']) {
  const { resource, updateRules } = batch
  if (values.size === 0 || !body) return
  const { patch } = parseFields(updateRules, { ...body })
  const derived = resource.hooks.derive(patch)
  for (const [column, field] of Object.entries(resource.uniqueFields)) {
    if (patch[field] !== undefined) values.get(column)?.add(String(derived[column]))
  }
}

/** Lists the objects that a batch names, by resource. */
export function listWanted(operations: readonly BatchOperation[], returnObjects: boolean): Map<ResourcePath, Wanted> {
  const wanted = new Map(batchResources.map((batch) => [batch.resource.path, createWanted(batch)]))
  const byTable = new Map(batchResources.map(({ resource }) => [resource.table, wanted.get(resource.path)]))
  for (const operation of operations) {
    const own = wanted.get(operation.resource)
    if (!own) continue
    const { id, externalId, body } = operation
    const isWhole = needsWhole(operation, returnObjects)
    if (id !== undefined) own.ids.add(id)
    if (id !== undefined && isWhole) own.wholeIds.add(id)
    if (externalId !== undefined) own.externalIds.add(externalId)
    if (operation.newExternalId !== undefined) own.externalIds.add(operation.newExternalId)
    if (externalId !== undefined && isWhole) own.wholeExternalIds.add(externalId)
    if (operation.op === 'delete' && id !== undefined) own.deletedIds.add(id)
    if (operation.op === 'delete' && externalId !== undefined) own.deletedExternalIds.add(externalId)
    own.countsObjects ||= own.batch.resource.maxPerMode !== undefined
    addUniqueValues(own, body)
    for (const reference of own.batch.resource.references) {
      const target = byTable.get(reference.target)
      for (const name of listNames(body, reference)) {
        if ('id' in name) target?.ids.add(name.id)
        else if ('externalId' in name) target?.externalIds.add(name.externalId)
      }
    }
  }
  return wanted
}
