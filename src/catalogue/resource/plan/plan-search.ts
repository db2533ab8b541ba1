import type { Scope } from '../../../platform/db/scope.ts'
import { indexTerms } from '../../../platform/lib/search-terms.ts'
import type { Draft, ResourceDefinition } from '../definition.ts'
import { isSameJson } from '../merge-patch.ts'

/** Part of the search index that a query reads: objects of one mode, or both modes for resources that span them. */
export const getSearchPartition = ({ spansModes }: Pick<ResourceDefinition, 'spansModes'>, testMode: boolean) =>
  spansModes ? '' : testMode ? 't' : 'l'

/** The terms to index for an object, or undefined if the change leaves its texts as they are. `before` is undefined on create. */
export function planSearchTerms(
  resource: ResourceDefinition,
  { merchantId }: Scope,
  before: Draft | undefined,
  after: Draft,
): string | undefined {
  const texts = resource.hooks.searchTexts(after)
  if (before && isSameJson(resource.hooks.searchTexts(before), texts)) return undefined
  return indexTerms(merchantId, getSearchPartition(resource, after['testMode'] === true), texts)
}
