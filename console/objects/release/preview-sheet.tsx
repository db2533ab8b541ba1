import type { Release } from '../../../packages/client/src/client.ts'
import { liveApi } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { toLocalTime } from '../../app/time/zoned-time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PreviewFrame } from '../preview-frame.tsx'
import { findNextFriday, formatLocal } from './prepare.ts'

/** The page for guests after the release, at any time. */
export function PreviewSheet({ release, onClose }: { release: Release; onClose: () => void }) {
  const { id, publishAt, version } = release
  return (
    <Dialog kind="sheet" title={t().release.preview} onClose={onClose}>
      <PreviewFrame
        sign={(at) => liveApi().releases.preview(id, { hours: 1, at })}
        inputs={[version]}
        moments={[publishAt === undefined ? findNextFriday() : toLocalTime(publishAt)]}
        nameMoment={formatLocal}
      />
    </Dialog>
  )
}
