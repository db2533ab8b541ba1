import { useSignal } from '@preact/signals'
import { ApiError, type Release } from '../../../packages/client/src/client.ts'
import { liveApi } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { leaveScreen } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { offerUndo } from '../history/undo.ts'
import { DifferencesSheet } from './differences-sheet.tsx'
import { readRelease } from './draft.ts'
import { findNextFriday, formatLocal, leaveRelease } from './prepare.ts'
import { PreviewSheet } from './preview-sheet.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'

type Opened = 'none' | 'differences' | 'preview' | 'publish' | 'schedule'

/** The changes that are being prepared: what they are, their preview, and when guests see them. */
export function ReleaseBar({ release }: { release: Release }) {
  const { release: texts } = t()
  const opened = useSignal<Opened>('none')
  const isBusy = useSignal(false)
  const show = (next: Opened) => () => leaveScreen(() => (opened.value = next))
  const close = () => {
    opened.value = 'none'
  }
  const mayPublish = hasScope('releases:publish')
  const { id, title, changes, publishAt } = release
  const publish = async (overwrite: boolean) => {
    close()
    if (isBusy.value) return
    isBusy.value = true
    try {
      const { changeSet } = await liveApi().releases.publish(id, { overwrite })
      leaveRelease()
      showStatus(
        texts.published(changes),
        offerUndo(changeSet, async () => undefined),
      )
    } catch (error) {
      // The sheet of the differences shows the reasons.
      await readRelease(id).catch(() => undefined)
      if (error instanceof ApiError && (error.status === 409 || error.status === 422)) opened.value = 'differences'
      else showError(error)
    }
    isBusy.value = false
  }
  return (
    <section class="prepared" aria-label={texts.bar(title)}>
      <p class="strong">
        <Sentence text={texts.bar(title)} />
      </p>
      <button type="button" class="link" onClick={show('differences')}>
        {texts.count(changes)}
      </button>
      <button type="button" onClick={show('preview')}>
        {texts.preview}
      </button>
      {mayPublish && changes > 0 && (
        <>
          <button type="button" class="primary" aria-disabled={isBusy.value} onClick={show('publish')}>
            {texts.publish}
          </button>
          <button type="button" onClick={show('schedule')}>
            {publishAt === undefined
              ? texts.at(formatLocal(findNextFriday()))
              : texts.isScheduled(formatTime(publishAt))}
          </button>
        </>
      )}
      <button
        type="button"
        class="quiet square"
        aria-label={texts.close}
        onClick={() =>
          leaveScreen(() => {
            leaveRelease()
            showStatus(texts.closed)
          })
        }
      >
        <Icon name="close" />
      </button>
      {opened.value === 'differences' && (
        <DifferencesSheet release={release} onPublish={() => publish(true)} onClose={close} />
      )}
      {opened.value === 'preview' && <PreviewSheet release={release} onClose={close} />}
      {opened.value === 'schedule' && <ScheduleDialog release={release} onClose={close} />}
      {opened.value === 'publish' && (
        <Confirm
          title={texts.confirmPublish(changes)}
          text={texts.publishHint}
          confirm={texts.publish}
          onConfirm={() => void publish(false)}
          onCancel={close}
        />
      )}
    </section>
  )
}
