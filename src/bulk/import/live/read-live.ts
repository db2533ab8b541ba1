import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Lease } from '../../../platform/http/bodies/byte-budget.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { createExportPages, type Render } from '../../export/export-pages.ts'
import { exportOrder } from '../../export/exported-resource.ts'
import { toOrigin } from './live-origin.ts'

/** Resources that a copy of live data has. Codes of live coupons, customers and tags stay in live mode. */
export const copiedPaths = ['products', 'modifiers', 'menus'] as const

const utf8 = new TextEncoder()

/** The objects of the caller's mode as lines of an import, whose external ids name their origins. */
export async function* readLive(caller: Caller, lease: Lease): AsyncGenerator<Uint8Array, void, undefined> {
  const resources = exportOrder.filter(({ path }) => copiedPaths.some((copied) => copied === path))
  await Promise.all(resources.map(({ details }) => details?.load()))
  for (const resource of resources) {
    const render: Render = (object, { details }) => {
      const id = isObject(object) ? String(object['id']) : ''
      return `${JSON.stringify({ resource: resource.path, externalId: toOrigin(id), object, details })}\n`
    }
    for await (const { text } of createExportPages(resource).readPages(caller, render, lease)) {
      if (text !== '') yield utf8.encode(text)
    }
  }
}
