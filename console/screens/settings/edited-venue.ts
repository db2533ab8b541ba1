import { useSignal } from '@preact/signals'
import type { Merchant } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { parseAmount } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { restoreSession } from '../../app/session.ts'
import { changeWithChoice, type Row, withEtag } from '../../objects/change.ts'
import { askConflict } from '../../objects/conflict.tsx'
import { adopt, useDraft } from '../../objects/editor/draft.ts'
import { useFieldErrors } from '../../objects/editor/field-errors.ts'
import type { FormRow } from '../../objects/editor/typed-form.ts'
import { findChanges, rebase } from '../../objects/find-changes.ts'
import { toPictures } from '../../ui/pictures/smaller-pictures.ts'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { findOverlap, nameOf, showField, toBody, toForm, type VenueForm } from './venue-form.ts'

type Fields = Partial<ReturnType<typeof toBody>>

export const readVenue = () => withEtag<Merchant>((options) => api().merchant.retrieve(options))

/** Stores fields of the settings. If somebody else has changed the same fields since, the person chooses a version. */
const storeFields = (known: Row<Merchant>, fields: Fields) =>
  changeWithChoice(
    known,
    ({ etag }) => withEtag<Merchant>((options) => api().merchant.update(fields, { ...options, ifMatch: etag })),
    readVenue,
    ({ item }) => {
      const theirs = toBody(toForm(item))
      const names = Object.keys(fields)
      return askConflict(
        item.name,
        names.map((name) => ({ name: nameOf(name), mine: showField(fields, name), theirs: showField(theirs, name) })),
      )
    },
  )

/** Errors that the browser can detect. */
function findErrors({
  name,
  openingHours,
  closures,
  specialHours,
  notes,
  ...form
}: VenueForm): ReadonlyMap<string, string> {
  const { issue, settings } = t()
  const overlap = findOverlap(openingHours)
  const found = new Map<string, string>()
  if (name.trim() === '') found.set('name', issue.required)
  for (const field of ['taxRate', 'takeawayRate', 'deliveryRate', 'cashRounding'] as const) {
    if (form[field].trim() !== '' && parseAmount(form[field]) === undefined) found.set(field, issue.notANumber)
  }
  if (overlap !== undefined) found.set(`openingHours/${overlap}/opens`, settings.hoursOverlap)
  for (const [list, hours] of Object.entries({ openingHours, specialHours })) {
    for (const [index, { opens, closes }] of hours.entries())
      if (opens === closes) found.set(`${list}/${index}/closes`, settings.hoursEqual)
  }
  for (const [index, { from, until }] of closures.entries()) {
    if (from === '') found.set(`closures/${index}/from`, issue.required)
    if (until < from || until === '') found.set(`closures/${index}/until`, settings.endsBefore)
  }
  for (const [index, { date }] of specialHours.entries())
    if (date === '') found.set(`specialHours/${index}/date`, issue.required)
  for (const [index, { text }] of notes.entries())
    if (text.trim() === '') found.set(`notes/${index}/text`, issue.required)
  return found
}

/** The settings as they are edited. Typed text is kept until it is stored or discarded. */
export function useEditedVenue(found: Row<Merchant>) {
  const { settings: texts, object } = t()
  const row = useSignal<FormRow<Merchant, VenueForm>>(found)
  const saved = useSignal(toForm(found.item))
  const form = useSignal(saved.value)
  const errors = useFieldErrors()
  const isBusy = useSignal(false)
  useDraft('', { row, saved, form }, true)
  const findOwn = () => findChanges(toBody(saved.value), toBody(form.value))
  /** Returns the fields that undo the change; undefined if the person chose the version of others. */
  const store = async (fields: Fields) => {
    const sent = form.value
    const { row: stored, before, isMine } = await storeFields(row.value, fields)
    row.value = stored
    saved.value = toForm(stored.item)
    // Text that was typed during the request stays.
    form.value = rebase(sent, form.value, saved.value)
    // The shell shows the name, and prices show the currency.
    await restoreSession()
    // Changes by others during the request stay.
    return isMine ? findChanges(toBody(toForm(stored.item)), toBody(toForm(before.item))) : undefined
  }
  const changeLogo = async (change: () => Promise<unknown>, text: string, undo?: () => void) => {
    try {
      await change()
      const next = await readVenue()
      adopt({ row, saved, form }, next, toForm(next.item))
      showStatus(text, undo)
    } catch (error) {
      showError(error)
    }
  }
  return {
    merchant: row.value.item,
    form: form.value,
    element: errors.form,
    errorOf: errors.errorOf,
    isBusy: isBusy.value,
    isChanged: () => Object.keys(findOwn()).length > 0,
    set<Name extends keyof VenueForm>(name: Name, value: VenueForm[Name]) {
      form.value = { ...form.value, [name]: value }
      errors.clear(name)
    },
    async save(event: Event) {
      event.preventDefault()
      if (isBusy.value) return
      const found = findErrors(form.value)
      if (found.size > 0) return errors.show(found)
      const fields = findOwn()
      if (Object.keys(fields).length === 0) return showStatus(texts.saved)
      isBusy.value = true
      try {
        const back = await store(fields)
        if (back) showStatus(texts.saved, () => void store(back).then(() => showStatus(object.undone), showError))
      } catch (error) {
        errors.show(
          new Map(
            [...readFieldErrors(error)].map(([path, text]) => [
              path.replace(/^address\//, '').replace(/^taxRates\/(.*)$/, '$1Rate'),
              text,
            ]),
          ),
        )
        showError(error)
      }
      isBusy.value = false
    },
    uploadLogo: (file: File) =>
      changeLogo(async () => api().merchant.setLogo(...(await toPictures(file))), texts.logoSaved),
    removeLogo() {
      const setAddress = (logo: string | null) => () => api().merchant.update({ logo })
      const restore = setAddress(row.value.item.logo ?? null)
      return changeLogo(setAddress(null), texts.logoRemoved, () => void changeLogo(restore, object.undone))
    },
  }
}
export type EditedVenue = ReturnType<typeof useEditedVenue>
