import { useEffect } from 'preact/hooks'
import { isPreparedScreen, isStarting, readPrepared } from '../../app/frame/prepared.ts'
import { path } from '../../app/router.ts'
import { showError } from '../../ui/toasts.tsx'
import { openedRelease } from './draft.ts'
import { leaveRelease, openRelease } from './prepare.ts'
import { ReleaseBar } from './release-bar.tsx'
import { StartDialog } from './start-dialog.tsx'

/** The bar of the changes that are being prepared, and the question what to prepare. */
export default function ReleasePart() {
  const id = readPrepared()
  useEffect(() => {
    if (id === undefined || openedRelease.value?.id === id) return
    openRelease(id).catch((error) => {
      leaveRelease()
      showError(error)
    })
  }, [id])
  return (
    <>
      {openedRelease.value && isPreparedScreen(path.value) && <ReleaseBar release={openedRelease.value} />}
      {isStarting.value && <StartDialog onClose={() => (isStarting.value = false)} />}
    </>
  )
}
