import type { createCollections } from '../collections.ts'

type Collections = ReturnType<typeof createCollections>
/** Path of a resource: `products`. */
export type ResourcePath = keyof Collections
/** The fields that create a resource. */
export type CreateFields<Path extends ResourcePath> = Parameters<Collections[Path]['create']>[0]
/** The fields that update a resource. */
export type UpdateFields<Path extends ResourcePath> = Parameters<Collections[Path]['update']>[1]
/** An object as lists show it. */
export type ListedObject<Path extends ResourcePath> = Awaited<ReturnType<Collections[Path]['update']>>

/** Reference to an object in a body: its id, the `ref` of another operation, or its external id. */
export type ObjectReference = string | { externalId: string }
/** A body whose lists of ids accept any reference. */
export type WithReferences<Body> = Body extends readonly (infer Item)[]
  ? readonly (string extends Item ? Item | ObjectReference : WithReferences<Item>)[]
  : Body extends object
    ? { [Field in keyof Body]: WithReferences<Body[Field]> }
    : Body

/** The fields that create the object with an external id, or update it if it exists. */
export type UpsertFields<Path extends ResourcePath> =
  | WithReferences<CreateFields<Path>>
  | WithReferences<UpdateFields<Path>>

/** Reference to the object of an operation. */
type Target = { id: string; externalId?: undefined } | { externalId: string; id?: undefined }

/** Details of an object, if the resource has them. Members name objects by id or by `ref`. */
type WithDetails<Path extends ResourcePath> = Collections[Path] extends {
  updateDetails: (id: string, fields: infer Details, ...rest: never) => unknown
}
  ? { details?: Details }
  : { details?: undefined }

/** One operation of a batch. `ref`, `#` and a name, lets other operations of the batch refer to the object. */
export type BatchOperation = {
  [Path in ResourcePath]:
    | ({
        op: 'create'
        resource: Path
        externalId?: string
        ref?: string
        body: WithReferences<CreateFields<Path>>
      } & WithDetails<Path>)
    | ({
        op: 'upsert'
        resource: Path
        externalId: string
        ref?: string
        ifMatch?: string
        body: UpsertFields<Path>
      } & WithDetails<Path>)
    | ({ op: 'update'; resource: Path; ifMatch?: string; body: WithReferences<UpdateFields<Path>> } & Target &
        WithDetails<Path>)
    | ({ op: 'delete'; resource: Path; ifMatch?: string } & Target)
}[ResourcePath]

/** Options of a batch. */
export interface BatchOptions {
  /** `atomic` (default): all operations succeed or nothing is written. `independent`: each succeeds or fails alone. */
  mode?: 'atomic' | 'independent'
  /** Runs the batch and rolls it back. */
  dryRun?: boolean
  /** Adds the objects to the results. */
  objects?: boolean
}

/** Maximum number of operations of one batch. */
export const maxBatchOperations = 500
/** Maximum number of bytes of the body of one batch. */
export const maxBatchBytes = 1_048_576
/** Number of bytes of the body of a batch without its operations. */
const envelopeBytes = 100

/** Splits operations into batches within the limits of the service. */
export function* toBatches<Operation extends object>(operations: Iterable<Operation>): Iterable<Operation[]> {
  const encoder = new TextEncoder()
  let batch: Operation[] = []
  let bytes = envelopeBytes
  for (const operation of operations) {
    const size = encoder.encode(JSON.stringify(operation)).length + 1
    if (batch.length === maxBatchOperations || (batch.length > 0 && bytes + size > maxBatchBytes)) {
      yield batch
      batch = []
      bytes = envelopeBytes
    }
    batch.push(operation)
    bytes += size
  }
  if (batch.length > 0) yield batch
}
