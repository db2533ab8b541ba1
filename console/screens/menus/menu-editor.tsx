import { useEffect } from 'preact/hooks'
import type { Menu, ReleaseChange } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { isSupport } from '../../app/session.ts'
import type { Row } from '../../objects/change.ts'
import { ObjectEditor } from '../../objects/editor.tsx'
import { CheckField, TextField } from '../../objects/fields.tsx'
import { findChanges } from '../../objects/find-changes.ts'
import { useSide } from '../../objects/side.ts'
import { Translations } from '../../objects/translations.tsx'
import { coversEditor } from '../../ui/media.ts'
import { DayBar } from './day-bar.tsx'
import { MenuDays, MenuDetailsFields } from './menu-details.tsx'
import {
  type DetailsForm,
  findDetailsErrors,
  findErrors,
  type MenuBody,
  type MenuForm,
  nameOf,
  showDetail,
  toBody,
  toCopy,
  toDetails,
  toDetailsForm,
  toForm,
} from './menu-form.ts'
import { MenuPictures } from './menu-pictures.tsx'
import { store, typedChange } from './menu-store.ts'
import { PreviewButton } from './preview.tsx'
import { SectionList } from './section-list.tsx'

type Details = Parameters<typeof toDetailsForm>[0] & object

/** Pause after the last change before the preview shows it, in milliseconds. */
const pauseMs = 600

/** The change that stores what is typed. Undefined: nothing is typed, or not all that is required. */
function toChange(
  row: Row<Menu> | undefined,
  form: MenuForm,
  stored: Details | undefined,
  details: DetailsForm,
): ReleaseChange | undefined {
  if (findErrors(form).size + findDetailsErrors(details).size > 0) return undefined
  const change = {
    resource: 'menus' as const,
    details: findChanges(toDetails(toDetailsForm(stored)), toDetails(details)),
  }
  if (!row) return { ...change, op: 'create', body: toBody(form) }
  const body = findChanges(toBody(toForm(row.item)), toBody(form))
  const isChanged = Object.keys({ ...body, ...change.details }).length > 0
  return isChanged ? { ...change, op: 'update', id: row.item.id, body } : undefined
}

/** Hands what is typed to the preview, until the editor closes. */
function Typed({ change }: { change: ReleaseChange | undefined }) {
  useEffect(() => {
    const timer = setTimeout(() => (typedChange.value = change), pauseMs)
    return () => clearTimeout(timer)
  }, [JSON.stringify(change)])
  useEffect(() => {
    return () => {
      typedChange.value = undefined
    }
  }, [])
  return null
}

export function MenuEditor({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { menus: texts } = t()
  const details = useSide<Details, ReturnType<typeof toDetails>, DetailsForm>(id, {
    read: (of, options) => api().menus.details(of, options),
    update: (of, fields, options) => api().menus.updateDetails(of, fields, options),
    toForm: toDetailsForm,
    findErrors: findDetailsErrors,
    toBody: toDetails,
    title: texts.details,
    nameOf,
    show: showDetail,
  })
  return (
    <ObjectEditor<Menu, MenuBody, MenuForm>
      id={id}
      layout="page"
      titles={texts}
      deleteHint={texts.deleteHint}
      scope="menus:write"
      store={store}
      aliases={{ 'dates/from': 'from', 'dates/until': 'until', 'branding/banner': 'banner', 'branding/icon': 'icon' }}
      form={{ toForm, findErrors, toBody }}
      parts={[details.part]}
      tools={coversEditor.value && !isSupport() && <PreviewButton menu={id} />}
      toCopy={toCopy}
      onClose={onClose}
    >
      {(of, row, adopt) => {
        const { form } = of
        return (
          <>
            <Typed change={toChange(row, form, details.stored, details.edit(of).form)} />
            <TextField of={of} name="title" label={texts.title} input={{ autofocus: id === undefined }} />
            <CheckField of={of} name="visible" label={texts.visible} />
            <fieldset class="group">
              <legend>{texts.when}</legend>
              <CheckField of={of} name="allDayMenu" label={texts.allDay} />
              {!form.allDayMenu && (
                <div class="halves">
                  <TextField of={of} name="begin" label={texts.from} input={{ type: 'time' }} />
                  <TextField
                    of={of}
                    name="end"
                    label={texts.until}
                    hint={form.end !== '' && form.end < form.begin ? texts.overnight : undefined}
                    input={{ type: 'time' }}
                  />
                </div>
              )}
              <DayBar isAllDay={form.allDayMenu} begin={form.begin} end={form.end} />
              <fieldset class="plain" disabled={!details.isLoaded}>
                <MenuDays of={details.edit(of)} />
              </fieldset>
            </fieldset>
            <SectionList of={of} />
            <details>
              <summary>{texts.details}</summary>
              <fieldset class="plain" disabled={!details.isLoaded}>
                <MenuDetailsFields of={details.edit(of)} />
              </fieldset>
            </details>
            <fieldset class="plain" disabled={!details.isLoaded}>
              <Translations
                of={details.edit(of)}
                fields={[
                  { path: 'title', label: texts.title, original: form.title },
                  { path: 'description', label: texts.description, original: form.description, multiline: true },
                  ...form.sections.flatMap(({ id: section, title, description }, index) => {
                    if (section === undefined) return []
                    const [path, label] = [`sections/${section}`, texts.section(index + 1)]
                    return [
                      { path: `${path}/title`, label, original: title },
                      ...(description.trim() === ''
                        ? []
                        : [
                            {
                              path: `${path}/description`,
                              label: `${label}: ${texts.description}`,
                              original: description,
                              multiline: true,
                            },
                          ]),
                    ]
                  }),
                ]}
              />
            </fieldset>
            <TextField of={of} name="description" label={texts.description} multiline />
            <MenuPictures of={of} row={row} adopt={adopt} />
            <CheckField of={of} name="showSectionNavigation" label={texts.navigation} />
          </>
        )
      }}
    </ObjectEditor>
  )
}
