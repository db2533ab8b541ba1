import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Tag } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { setGuard } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { askConflict } from '../../objects/conflict.tsx'
import { changeWithChoice, type Row, withEtag } from '../../objects/store.ts'
import { Check, Field } from '../../ui/controls.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { ScanTable } from './scan-table.tsx'
import { getLabel } from './table-label.ts'
import { deleteTable, replaceTag } from './table-store.ts'

type Metadata = Tag['metadata']
const pictureSize = 160

/** The path of the tag's picture at this origin: its address can have another one. */
export const getPicturePath = ({ qrUrl }: Tag) => (qrUrl === undefined ? undefined : new URL(qrUrl).pathname)

/** How a table is called, its code and its scans. */
export function TableEditor({ id, onClose }: { id: string; onClose: () => void }) {
  const { tables: texts, action, shell, object } = t()
  const row = useSignal<Row<Tag> | undefined>(undefined)
  const entries = useSignal<Metadata>([])
  const error = useSignal<string | undefined>(undefined)
  const question = useSignal<'none' | 'delete' | (() => void)>('none')
  const isBusy = useSignal(false)
  const read = () => withEtag<Tag>((options) => api().tags.retrieve(id, options))
  const show = (next: Row<Tag>) => {
    row.value = next
    entries.value = next.item.metadata
    replaceTag(next.item)
  }
  useEffect(() => {
    read().then(show, (failure) => {
      showError(failure)
      onClose()
    })
    const isChanged = () => JSON.stringify(entries.value) !== JSON.stringify(row.value?.item.metadata ?? [])
    setGuard((next) => {
      if (!isChanged()) return false
      question.value = next
      return true
    })
    return () => setGuard(undefined)
  }, [])
  const change = (index: number, fields: Partial<Metadata[number]>) => {
    error.value = undefined
    entries.value = entries.value.map((entry, at) => (at === index ? { ...entry, ...fields } : entry))
  }
  const save = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value || !row.value) return
    const metadata = entries.value.filter(({ key, value }) => key.trim() !== '' || value !== '')
    if (metadata.some(({ key }) => key.trim() === '')) {
      error.value = t().issue.required
      return
    }
    isBusy.value = true
    try {
      const { row: saved, isMine } = await changeWithChoice(
        row.value,
        ({ etag }) => withEtag<Tag>((options) => api().tags.update(id, { metadata }, { ...options, ifMatch: etag })),
        read,
        (theirs) =>
          askConflict(getLabel(theirs.item), [
            {
              name: texts.label,
              mine: getLabel({ metadata, alias: [], id }),
              theirs: getLabel(theirs.item),
            },
          ]),
      )
      show(saved)
      if (isMine) showStatus(texts.saved(getLabel(saved.item)))
      onClose()
    } catch (failure) {
      showError(failure)
    }
    isBusy.value = false
  }
  const remove = async () => {
    question.value = 'none'
    if (!row.value) return
    const label = getLabel(row.value.item)
    try {
      await deleteTable(id)
      entries.value = row.value.item.metadata
      showStatus(texts.deleted(label))
      onClose()
    } catch (failure) {
      showError(failure)
    }
  }
  const tag = row.value?.item
  const mayWrite = hasScope('tags:write')
  const leave = question.value
  return (
    <Dialog
      kind="sheet"
      title={tag ? getLabel(tag) : texts.edit}
      onClose={onClose}
      footer={
        mayWrite &&
        tag && (
          <>
            <button type="button" class="quiet danger-text" onClick={() => (question.value = 'delete')}>
              <Icon name="trash" />
              {action.delete}
            </button>
            <span class="space" />
            <button type="button" class="quiet" onClick={onClose}>
              {action.cancel}
            </button>
            <button type="submit" form="table" class="primary" disabled={isBusy.value}>
              {action.save}
            </button>
          </>
        )
      }
    >
      {!tag && <p class="empty">{shell.loading}</p>}
      {tag && (
        <form id="table" class="form" noValidate onSubmit={save}>
          <div class="code">
            {getPicturePath(tag) && (
              <img
                src={`${getPicturePath(tag)}`}
                width={pictureSize}
                height={pictureSize}
                alt={texts.qr(getLabel(tag))}
              />
            )}
            <dl>
              <dt>{texts.address}</dt>
              <dd>{tag.url ? <a href={tag.url}>{tag.url}</a> : tag.alias[0]}</dd>
              {tag.nfc && <dd>{texts.hasChip}</dd>}
            </dl>
          </div>
          <fieldset class="plain" disabled={!mayWrite}>
            <legend>{texts.entries}</legend>
            <p class="hint">{texts.entriesHint}</p>
            {entries.value.map((entry, index) => (
              <fieldset key={String(index)} class="entry" aria-label={texts.entry(index + 1)}>
                <Field
                  label={texts.key}
                  value={entry.key}
                  error={entry.key.trim() === '' ? error.value : undefined}
                  input={{ maxLength: 64 }}
                  onInput={(key) => change(index, { key })}
                />
                <Field label={texts.value} value={entry.value} onInput={(value) => change(index, { value })} />
                <Check label={texts.visible} isOn={entry.visible} onChange={(visible) => change(index, { visible })} />
                <button
                  type="button"
                  class="quiet square"
                  aria-label={action.removeOf(texts.entry(index + 1))}
                  onClick={() => {
                    entries.value = entries.value.filter((_, at) => at !== index)
                  }}
                >
                  <Icon name="trash" />
                </button>
              </fieldset>
            ))}
            {mayWrite && (
              <button
                type="button"
                onClick={() => {
                  entries.value = [...entries.value, { key: '', value: '', visible: true }]
                }}
              >
                <Icon name="plus" />
                {texts.addEntry}
              </button>
            )}
          </fieldset>
          <ScanTable id={id} />
        </form>
      )}
      {leave === 'delete' && (
        <Confirm
          title={texts.confirmDelete(tag ? getLabel(tag) : '')}
          text={texts.confirmDeleteHint}
          confirm={action.delete}
          onConfirm={remove}
          onCancel={() => (question.value = 'none')}
        />
      )}
      {typeof leave === 'function' && (
        <Confirm
          title={object.unsaved}
          text={object.unsavedHint}
          confirm={object.discard}
          cancel={object.keepEditing}
          onConfirm={leave}
          onCancel={() => (question.value = 'none')}
        />
      )}
    </Dialog>
  )
}
