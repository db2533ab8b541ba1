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
  const link = useSignal<{ url: string; minutes: number } | undefined>(undefined)
  useEffect(() => {
    api()
      .tags.nfcLink(table.tag.id)
      .then(
        ({ url, expiresAt }) => {
          link.value = { url, minutes: Math.round((expiresAt - Date.now() / 1000) / 60) }
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
      {link.value === undefined ? (
        <p class="hint">{shell.loading}</p>
      ) : (
        <>
          <p>{texts.chipMinutes(link.value.minutes)}</p>
          <CopyField label={texts.chipLink} value={link.value.url} />
          <a class="button primary" href={link.value.url} target="_blank" rel="noreferrer">
            {texts.openHere}
          </a>
        </>
      )}
    </Dialog>
  )
}
