import { useSignal } from '@preact/signals'
import type { InputHTMLAttributes } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Merchant } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { parseAmount } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { hasScope, restoreSession } from '../../app/session.ts'
import { changeWithChoice, type Row, withEtag } from '../../objects/change.ts'
import { askConflict } from '../../objects/conflict.tsx'
import { useDraft } from '../../objects/editor/draft.ts'
import { useLeaveGuard } from '../../objects/editor/leave-guard.ts'
import { doOverlap, findChanges, rebase } from '../../objects/find-changes.ts'
import { Check, Field } from '../../ui/controls.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { OpeningHours } from './opening-hours.tsx'
import { addressFields, fromClock, nameOf, showField, toBody, toClock, toForm, type VenueForm } from './venue-form.ts'

type TextField = { [Name in keyof VenueForm]: VenueForm[Name] extends string ? Name : never }[keyof VenueForm]
const read = () => withEtag<Merchant>((options) => api().merchant.retrieve(options))
const zones = Intl.supportedValuesOf('timeZone')
const currencies = Intl.supportedValuesOf('currency')
const logoSize = 96

/** The settings of the venue. */
export function Venue() {
  const row = useSignal<Row<Merchant> | undefined>(undefined)
  useEffect(() => {
    read().then((found) => {
      row.value = found
    }, showError)
  }, [])
  return row.value ? <VenueSettings found={row.value} /> : <p class="hint loading">{t().shell.loading}</p>
}

/** The form of the settings. What is typed is kept until it is stored or discarded. */
function VenueSettings({ found }: { found: Row<Merchant> }) {
  const { settings: texts, action, issue, object } = t()
  const row = useSignal(found)
  const saved = useSignal(toForm(found.item))
  const form = useSignal(saved.value)
  const errors = useSignal<ReadonlyMap<string, string>>(new Map())
  const isLeaving = useSignal(false)
  const isBusy = useSignal(false)
  const element = useRef<HTMLFormElement>(null)
  /** Shows a newer version, with what was typed since `before`. */
  const show = (next: Row<Merchant>, before: VenueForm) => {
    row.value = next
    saved.value = toForm(next.item)
    form.value = rebase(before, form.value, saved.value)
  }
  const findOwn = () => findChanges(toBody(saved.value), toBody(form.value))
  const leave = useLeaveGuard(
    () => Object.keys(findOwn()).length > 0,
    () => {
      isLeaving.value = true
    },
  )
  useDraft('', saved, form, true)
  const { value } = form
  const mayWrite = hasScope('merchant:write')
  const change = (fields: Partial<VenueForm>) => {
    form.value = { ...value, ...fields }
    errors.value = new Map([...errors.value].filter(([name]) => !Object.hasOwn(fields, name)))
  }
  const fail = (found: ReadonlyMap<string, string>) => {
    errors.value = found
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const store = async (known: Row<Merchant>, fields: ReturnType<typeof findOwn>) => {
    const sent = form.value
    const {
      row: stored,
      before,
      isMine,
    } = await changeWithChoice(
      known,
      ({ etag }) => withEtag<Merchant>((options) => api().merchant.update(fields, { ...options, ifMatch: etag })),
      read,
      ({ item }) => {
        const theirs = toBody(toForm(item))
        return askConflict(
          item.name,
          Object.keys(fields).map((field) => ({
            name: nameOf(field),
            mine: showField(fields, field),
            theirs: showField(theirs, field),
          })),
        )
      },
    )
    show(stored, sent)
    // The shell shows the name, prices the currency.
    await restoreSession()
    // What others changed meanwhile stays.
    return isMine ? findChanges(toBody(toForm(stored.item)), toBody(toForm(before.item))) : undefined
  }
  const save = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const found = new Map<string, string>()
    if (value.name.trim() === '') found.set('name', issue.required)
    if (value.taxRate.trim() !== '' && parseAmount(value.taxRate) === undefined) found.set('taxRate', issue.notANumber)
    if (found.size > 0) return fail(found)
    const fields = findOwn()
    if (Object.keys(fields).length === 0) return showStatus(texts.saved)
    isBusy.value = true
    try {
      const back = await store(row.value, fields)
      if (back) {
        showStatus(texts.saved, () => {
          store(row.value, back).then(() => showStatus(object.undone), showError)
        })
      }
    } catch (error) {
      fail(readFieldErrors(error))
      showError(error)
    }
    isBusy.value = false
  }
  const changeLogo = async (file: File | undefined) => {
    if (!file) return
    try {
      await api().merchant.setLogo(file)
      const next = await read()
      const theirs = findChanges(toBody(saved.value), toBody(toForm(next.item)))
      // What others and the person changed is asked for when it is saved.
      show(doOverlap(findOwn(), theirs) ? { item: next.item, etag: row.value.etag } : next, saved.value)
      showStatus(texts.logoSaved)
    } catch (error) {
      showError(error)
    }
  }
  const text = (name: TextField, label: string, hint?: string, input: InputHTMLAttributes<HTMLInputElement> = {}) => (
    <Field
      label={label}
      value={value[name]}
      error={errors.value.get(name)}
      hint={hint}
      input={input}
      onInput={(typed) => change({ [name]: typed })}
    />
  )
  return (
    <form ref={element} class="form narrow" noValidate onSubmit={save}>
      <fieldset class="plain" disabled={!mayWrite}>
        {text('name', texts.name, undefined, { maxLength: 255 })}
        <div class="pair">
          {text('timezone', texts.timezone, undefined, { list: 'zones', spellcheck: false })}
          {text('currency', texts.currency, texts.currencyHint, {
            list: 'currencies',
            maxLength: 3,
            spellcheck: false,
          })}
        </div>
        <Field
          label={texts.dayStartsAt}
          value={toClock(value.dayStartsAt)}
          error={errors.value.get('dayStartsAt')}
          input={{ type: 'time' }}
          onInput={(clock) => clock !== '' && change({ dayStartsAt: fromClock(clock) })}
        />
        <datalist id="zones">
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <datalist id="currencies">
          {currencies.map((code) => (
            <option key={code} value={code} />
          ))}
        </datalist>
        {text('orderingUrl', texts.orderingUrl, texts.orderingUrlHint, { type: 'url' })}
        {text('sandboxUrl', texts.sandboxUrl, undefined, { type: 'url' })}
        <h3>{texts.tax}</h3>
        <Check
          label={texts.pricesIncludeTax}
          isOn={value.pricesIncludeTax}
          onChange={(pricesIncludeTax) => change({ pricesIncludeTax })}
        />
        {text('taxRate', texts.taxRate, undefined, { inputMode: 'decimal' })}
        <h3>{texts.profile}</h3>
        <div class="code">
          {row.value.item.logo && <img src={row.value.item.logo} width={logoSize} height={logoSize} alt={texts.logo} />}
          <label class="group">
            {texts.addLogo}
            <input
              type="file"
              accept="image/png,image/jpeg,image/webp,image/avif"
              onChange={({ currentTarget }) => changeLogo(currentTarget.files?.[0])}
            />
          </label>
        </div>
        {text('language', texts.textsIn, texts.textsInHint, { maxLength: 35, spellcheck: false })}
        <Field
          label={texts.color}
          value={value.color}
          error={errors.value.get('color')}
          hint="#96380f"
          input={{ maxLength: 7, spellcheck: false }}
          onInput={(color) => change({ color })}
        />
        <div class="pair">
          {text('phone', texts.phone, undefined, { type: 'tel' })}
          {text('website', texts.website, undefined, { type: 'url' })}
        </div>
        {addressFields.map((name) => (
          <div key={name}>{text(name, texts[name], name === 'country' ? texts.countryHint : undefined)}</div>
        ))}
        {errors.value.has('address') && <p class="error">{errors.value.get('address')}</p>}
        <OpeningHours hours={value.openingHours} onChange={(openingHours) => change({ openingHours })} />
        {errors.value.has('openingHours') && <p class="error">{errors.value.get('openingHours')}</p>}
        {mayWrite && (
          <p>
            <button type="submit" class="primary" disabled={isBusy.value}>
              {action.save}
            </button>
          </p>
        )}
      </fieldset>
      {isLeaving.value && (
        <Confirm
          title={object.unsaved}
          text={object.unsavedHint}
          confirm={object.discard}
          cancel={object.keepEditing}
          onConfirm={leave}
          onCancel={() => (isLeaving.value = false)}
        />
      )}
    </form>
  )
}
