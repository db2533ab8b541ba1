import type { DetailsDefinition } from './details-definition.ts'

/** The declaration of a resource's details. An isolate loads it with the first request that reads or writes details. */
export interface LazyDetails<Details extends DetailsDefinition = DetailsDefinition> {
  load(): Promise<Details>
  /** The declaration behind `load`. Throws if nothing has loaded it. */
  get(): Details
}

/** Declares details that `importDetails` loads. Keeps the declaration rather than its promise: a request must not wait for another. */
export function loadLater<Details extends DetailsDefinition>(
  importDetails: () => Promise<Details>,
): LazyDetails<Details> {
  let details: Details | undefined
  return {
    async load() {
      details ??= await importDetails()
      return details
    },
    get() {
      if (!details) throw new Error('Details are not loaded.')
      return details
    },
  }
}
