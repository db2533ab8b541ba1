import type { SheetLinkCreate } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { showAlert, showError, showStatus } from '../../ui/toasts.tsx'

export type Layout = NonNullable<SheetLinkCreate['layout']>
/** Maximum number of tables of one sheet. */
const maxPrinted = 1_000

/** Opens the sheet in another tab. Opens the tab first, because browsers block tabs that open after a response. */
export async function printSheet(ids: readonly string[], layout: Layout, skip?: number): Promise<void> {
  const { tables: texts } = t()
  if (ids.length > maxPrinted) return showAlert(texts.tooMany(maxPrinted))
  const tab = open('', '_blank')
  if (!tab) return showAlert(texts.blocked)
  tab.opener = null
  try {
    const { url } = await api().tags.sheetLink({ ids: [...ids], layout, skip })
    tab.location.href = url
    showStatus(texts.printing)
  } catch (error) {
    tab.close()
    showError(error)
  }
}
