import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { loadPart } from '../../app/load-part.ts'
import { base, navigate, path } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { showAlert } from '../../ui/toasts.tsx'
import { findRestorable, type Restorable } from './restored.ts'

type SheetProps = { resource: Restorable; onRestored: () => void; onClose: () => void }
const sheet = signal<ComponentType<SheetProps> | undefined>(undefined)

/** Segment of the address that opens the deleted objects of a list. */
export const deletedSegment = 'deleted'

function LoadedSheet(props: SheetProps) {
  useEffect(() => {
    if (sheet.value) return
    void loadPart('deleted', () => import('./deleted-sheet.tsx')).then((part) => {
      sheet.value = part?.default
      if (part) return
      showAlert(t().problem.offline)
      props.onClose()
    })
  }, [])
  const Sheet = sheet.value
  return Sheet ? <Sheet {...props} /> : null
}

/** A link to the deleted objects of a list, for those who may restore them. */
export const DeletedLink = ({ root, scope }: { root: string; scope: string }) =>
  findRestorable(scope) && hasScope(scope) ? (
    <a href={`${base}${root}/${deletedSegment}`}>{t().history.deleted}</a>
  ) : null

/** The deleted objects of a list, when the address names them. */
export function DeletedObjects({ root, scope, onRestored }: { root: string; scope: string; onRestored: () => void }) {
  const resource = findRestorable(scope)
  if (!resource || !hasScope(scope) || path.value !== `${root}/${deletedSegment}`) return null
  return <LoadedSheet resource={resource} onRestored={onRestored} onClose={() => navigate(root)} />
}
