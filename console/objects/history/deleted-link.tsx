import { t } from '../../app/language.ts'
import { base, navigate, path } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { DeletedSheet } from './deleted-sheet.tsx'
import { findRestorable } from './restored.ts'

/** Segment of the address that opens the deleted objects of a list. */
export const deletedSegment = 'deleted'

/** A link to the deleted objects of a list, for those who may restore them. */
export const DeletedLink = ({ root, scope }: { root: string; scope: string }) =>
  findRestorable(scope) && hasScope(scope) ? (
    <a href={`${base}${root}/${deletedSegment}`}>{t().history.deleted}</a>
  ) : null

/** The deleted objects of a list, when the address names them. */
export function DeletedObjects({ root, scope, onRestored }: { root: string; scope: string; onRestored: () => void }) {
  const resource = findRestorable(scope)
  if (!resource || !hasScope(scope) || path.value !== `${root}/${deletedSegment}`) return null
  return <DeletedSheet resource={resource} onRestored={onRestored} onClose={() => navigate(root)} />
}
