import { isDrafted } from '../../app/frame/prepared.ts'
import { t } from '../../app/language.ts'
import { showStatus } from '../../ui/toasts.tsx'
import type { EditorPart, Stored } from '../editor-parts.ts'
import type { Store } from '../store.ts'

/** Creates a copy of an object from a body, with the parts that copies get, and shows a message. Returns its id. */
export async function copyObject<Item extends Stored, Body extends object>(
  store: Store<Item, Body>,
  source: Item,
  body: Body,
  parts: readonly EditorPart[],
): Promise<string> {
  const { object: texts } = t()
  const title = texts.copyOf(store.titleOf(source))
  const copyParts = await Promise.all(
    parts.flatMap(({ isCopied, prepareRestore }) => (isCopied && prepareRestore ? [prepareRestore(source)] : [])),
  )
  const made = await store.create({ ...body, title })
  for (const copyPart of copyParts) await copyPart(made.item)
  showStatus((isDrafted() ? t().release.isPrepared : texts.created)(title))
  return made.item.id
}
