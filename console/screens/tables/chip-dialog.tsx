import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'
import type { Table } from './table-store.ts'

/** The link to the page that writes a table's chip with a phone. */
export function ChipDialog({ table, onClose }: { table: Table; onClose: () => void }) {
  const { tables: texts, shell } = t()
  const url = useSignal<string | undefined>(undefined)
  useEffect(() => {
    api()
      .tags.nfcLink(table.tag.id)
      .then(
        (link) => {
          url.value = link.url
        },
        (error) => {
          showError(error)
          onClose()
        },
      )
  }, [])
  return (
    <Dialog title={texts.chip(table.label)} onClose={onClose}>
      <p>{texts.chipHint}</p>
      {url.value === undefined ? (
        <p class="hint">{shell.loading}</p>
      ) : (
        <>
          <CopyField label={texts.chipLink} value={url.value} />
          <a class="button primary" href={url.value} target="_blank" rel="noreferrer">
            {texts.openHere}
          </a>
        </>
      )}
    </Dialog>
  )
}
