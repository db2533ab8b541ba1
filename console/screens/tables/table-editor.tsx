import type { Tag, TagDetails } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { ObjectEditor } from '../../objects/editor.tsx'
import type { EditedForm } from '../../objects/fields.tsx'
import { useSide } from '../../objects/side.ts'
import { Check, Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { DestinationFields } from './destination-fields.tsx'
import {
  type DestinationForm,
  findDestinationErrors,
  nameOfDestination,
  showDestination,
  toDestination,
  toDestinationForm,
} from './destination-form.ts'
import { ScanTable } from './scan-table.tsx'
import { getLabel, readKey, showKey } from './table-label.ts'
import { allTables, findErrors, getPicturePath, store, type TableForm, toBody, toForm } from './table-store.ts'

const pictureSize = 160

/** The code of a table: its picture and its address. */
function Code({ tag }: { tag: Tag }) {
  const { tables: texts } = t()
  const picture = getPicturePath(tag)
  return (
    <div class="code">
      {picture && <img src={picture} width={pictureSize} height={pictureSize} alt={texts.qr(getLabel(tag))} />}
      <dl>
        <dt>{texts.address}</dt>
        <dd>{tag.url ? <a href={tag.url}>{tag.url}</a> : tag.alias[0]}</dd>
        {tag.nfc && <dd>{texts.hasChip}</dd>}
      </dl>
    </div>
  )
}

/** Name of a table. */
function Entries({ of }: { of: EditedForm<TableForm> }) {
  const { tables: texts, action } = t()
  const { metadata } = of.form
  const change = (index: number, fields: Partial<TableForm['metadata'][number]>) =>
    of.set(
      'metadata',
      metadata.map((entry, at) => (at === index ? { ...entry, ...fields } : entry)),
    )
  return (
    <fieldset class="plain">
      <legend>{texts.entries}</legend>
      <p class="hint">{texts.entriesHint}</p>
      {metadata.map((entry, index) => (
        <fieldset key={String(index)} class="entry" aria-label={texts.entry(index + 1)}>
          <Field
            label={texts.key}
            value={showKey(entry.key)}
            error={of.errorOf(`metadata/${index}/key`)}
            input={{ maxLength: 64 }}
            onInput={(name) => change(index, { key: readKey(name) })}
          />
          <Field
            label={texts.value}
            value={entry.value}
            error={of.errorOf(`metadata/${index}/value`)}
            onInput={(value) => change(index, { value })}
          />
          <Check label={texts.visible} isOn={entry.visible} onChange={(visible) => change(index, { visible })} />
          <button
            type="button"
            class="quiet square"
            aria-label={action.removeOf(texts.entry(index + 1))}
            onClick={() => of.set('metadata', metadata.toSpliced(index, 1))}
          >
            <Icon name="trash" />
          </button>
        </fieldset>
      ))}
      {hasScope('tags:write') && (
        <button type="button" onClick={() => of.set('metadata', [...metadata, { key: '', value: '', visible: true }])}>
          <Icon name="plus" />
          {texts.addEntry}
        </button>
      )}
    </fieldset>
  )
}

/** Name, code, destination and scans of a table. */
export function TableEditor({ id, onClose }: { id: string; onClose: () => void }) {
  const { tables: texts } = t()
  const destination = useSide<TagDetails, ReturnType<typeof toDestination>, DestinationForm>(id, {
    read: (of, options) => api().tags.details(of, options),
    update: (of, fields, options) => api().tags.updateDetails(of, fields, options),
    toForm: toDestinationForm,
    findErrors: findDestinationErrors,
    toBody: toDestination,
    title: texts.destination,
    nameOf: nameOfDestination,
    show: showDestination,
  })
  const known = allTables.value.find(({ tag }) => tag.id === id)
  return (
    <ObjectEditor
      id={id}
      titles={{ create: texts.make, edit: known?.label ?? texts.edit }}
      deleteHint={texts.confirmDeleteHint}
      scope="tags:write"
      store={store}
      form={{ toForm, findErrors, toBody }}
      parts={[destination.part]}
      onClose={onClose}
    >
      {(of, row) => (
        <>
          {row && <Code tag={row.item} />}
          <Entries of={of} />
          <DestinationFields of={destination.edit(of)} isLoaded={destination.isLoaded} />
          <ScanTable id={id} />
        </>
      )}
    </ObjectEditor>
  )
}
