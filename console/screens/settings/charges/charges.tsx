import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Charges as ChargeList } from '../../../../packages/client/src/client.ts'
import { api } from '../../../app/api.ts'
import { currencySymbol, priceHint } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { readFieldErrors } from '../../../app/problems.ts'
import { hasScope } from '../../../app/session.ts'
import { changeWithChoice, type Row, withEtag } from '../../../objects/change.ts'
import { askConflict } from '../../../objects/conflict.tsx'
import { DiscardQuestion } from '../../../objects/editor/discard-question.tsx'
import { useFieldErrors } from '../../../objects/editor/field-errors.ts'
import { useLeaveGuard } from '../../../objects/editor/leave-guard.ts'
import { orderTypes } from '../../../objects/hours/service-times.ts'
import { Translations } from '../../../objects/translations.tsx'
import { Check, Field } from '../../../ui/controls.tsx'
import { Select } from '../../../ui/select.tsx'
import { showError, showStatus } from '../../../ui/toasts.tsx'
import { EntryList } from '../entry-list.tsx'
import {
  type ChargeForm,
  chargeBases,
  chargeTypes,
  findChargeErrors,
  isServiceAdded,
  kinds,
  maxCharges,
  newCharge,
  showCharges,
  toChargeForms,
  toCharges,
} from './charge-form.ts'

const readCharges = () => withEtag<ChargeList>((options) => api().charges.list(options))

/** Stores all charges. If somebody else has changed them since, the person chooses a version. */
const storeCharges = (known: Row<ChargeList>, charges: ReturnType<typeof toCharges>) =>
  changeWithChoice(
    known,
    ({ etag }) => withEtag<ChargeList>((options) => api().charges.replace({ charges }, { ...options, ifMatch: etag })),
    readCharges,
    ({ item }) => {
      const { charges: name } = t().settings
      return askConflict(name, [{ name, mine: showCharges(charges), theirs: showCharges(item.charges) }])
    },
  )

interface Found {
  row: Row<ChargeList>
  /** Country of the venue. */
  country: string | undefined
}

/** Charges for service, packaging and delivery. */
export function Charges() {
  const found = useSignal<Found | undefined>(undefined)
  useEffect(() => {
    Promise.all([readCharges(), api().merchant.retrieve()]).then(([row, { address }]) => {
      found.value = { row, country: address?.country }
    }, showError)
  }, [])
  return found.value ? <ChargeEditor found={found.value} /> : <p class="hint loading">{t().shell.loading}</p>
}

function ChargeEditor({ found: { row: first, country } }: { found: Found }) {
  const { settings: texts, action, object } = t()
  const row = useSignal(first)
  const saved = useSignal(toChargeForms(first.item.charges))
  const form = useSignal(saved.value)
  const errors = useFieldErrors()
  const [isBusy, isLeaving] = [useSignal(false), useSignal(false)]
  const isChanged = () => JSON.stringify(form.value) !== JSON.stringify(saved.value)
  const leave = useLeaveGuard(isChanged, () => {
    isLeaving.value = true
  })
  const mayWrite = hasScope('merchant:write')
  const store = async (charges: ReturnType<typeof toCharges>) => {
    const { row: stored, isMine } = await storeCharges(row.value, charges)
    row.value = stored
    saved.value = toChargeForms(stored.item.charges)
    form.value = saved.value
    return isMine
  }
  const save = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const wrong = findChargeErrors(form.value)
    if (wrong.size > 0) return errors.show(wrong)
    if (!isChanged()) return showStatus(texts.saved)
    isBusy.value = true
    const before = toCharges(saved.value)
    try {
      const undo = () => void store(before).then(() => showStatus(object.undone), showError)
      if (await store(toCharges(form.value))) showStatus(texts.saved, undo)
    } catch (error) {
      errors.show(readFieldErrors(error))
      showError(error)
    }
    isBusy.value = false
  }
  return (
    <form ref={errors.form} class="form narrow" noValidate onSubmit={save}>
      <fieldset class="plain" disabled={!mayWrite}>
        <EntryList<ChargeForm>
          legend={texts.charges}
          hint={texts.chargesHint}
          entries={form.value}
          initial={newCharge}
          addText={texts.addCharge}
          nameOf={texts.chargeOf}
          kind="group"
          maximum={maxCharges}
          onChange={(charges) => {
            if (charges.length < form.value.length) errors.clear('charges')
            form.value = charges
          }}
          render={(charge, index, change) => (
            <ChargeFields
              charge={charge}
              country={country}
              errorOf={(name) => errors.errorOf(`charges/${index}/${name}`)}
              onChange={(fields) => {
                errors.clear(...Object.keys(fields).map((name) => `charges/${index}/${name}`))
                change(fields)
              }}
            />
          )}
        />
        {mayWrite && isChanged() && (
          <p>
            <button type="submit" class="primary" aria-disabled={isBusy.value}>
              {action.save}
            </button>
          </p>
        )}
      </fieldset>
      {isLeaving.value && <DiscardQuestion onDiscard={leave} onCancel={() => (isLeaving.value = false)} />}
    </form>
  )
}

interface FieldsProps {
  charge: ChargeForm
  country: string | undefined
  errorOf: (name: string) => string | undefined
  onChange: (fields: Partial<ChargeForm>) => void
}

function ChargeFields({ charge, country, errorOf, onChange }: FieldsProps) {
  const { settings: texts, menus } = t()
  const { type, orderTypes: types } = charge
  const number = { inputMode: 'decimal' } as const
  const typesError = errorOf('orderTypes')
  return (
    <div class="form">
      <Field
        label={texts.title}
        value={charge.title}
        error={errorOf('title')}
        input={{ maxLength: 255 }}
        onInput={(title) => onChange({ title })}
      />
      <div class="pair">
        <Select
          label={texts.chargeKind}
          value={charge.kind}
          options={kinds.map((kind) => [kind, texts.chargeKinds[kind]] as const)}
          onChange={(kind) => onChange({ kind })}
        />
        <Select
          label={texts.chargeType}
          value={type}
          options={chargeTypes.map((each) => [each, texts.chargeTypes[each]] as const)}
          onChange={(chosen) => onChange({ type: chosen })}
        />
      </div>
      {isServiceAdded(charge, country) && <p class="hint">{texts.serviceWarning}</p>}
      <div class="pair">
        <Field
          label={texts.chargeValue}
          value={charge.value}
          unit={type === 'FIXED' ? currencySymbol() : '%'}
          hint={type === 'FIXED' ? priceHint(charge.value) : undefined}
          error={errorOf('value')}
          input={number}
          onInput={(value) => onChange({ value })}
        />
        {type === 'FIXED' && (
          <Select
            label={texts.chargePer}
            value={charge.per}
            options={chargeBases.map((per) => [per, texts.chargeBases[per]] as const)}
            onChange={(per) => onChange({ per })}
          />
        )}
      </div>
      <fieldset class="choice" aria-invalid={typesError ? true : undefined} tabIndex={-1}>
        <legend>{menus.orderTypes}</legend>
        {orderTypes.map((each) => (
          <Check
            key={each}
            label={menus.types[each]}
            isOn={types.includes(each)}
            onChange={(isOn) => onChange({ orderTypes: isOn ? [...types, each] : types.filter((one) => one !== each) })}
          />
        ))}
        {typesError && <p class="error">{typesError}</p>}
      </fieldset>
      <Field
        label={texts.minGuests}
        hint={texts.minGuestsHint}
        value={charge.minGuests}
        error={errorOf('minGuests')}
        input={{ inputMode: 'numeric' }}
        onInput={(minGuests) => onChange({ minGuests })}
      />
      <Check label={texts.chargeTaxed} isOn={charge.taxable} onChange={(taxable) => onChange({ taxable })} />
      {charge.taxable && (
        <Field
          label={texts.taxRate}
          hint={texts.chargeRateHint}
          value={charge.taxRate}
          error={errorOf('taxRate')}
          input={number}
          onInput={(taxRate) => onChange({ taxRate })}
        />
      )}
      <Check label={texts.chargeOptional} isOn={charge.optional} onChange={(optional) => onChange({ optional })} />
      <Translations
        of={{ form: charge, errorOf, set: (_, translations) => onChange({ translations }) }}
        fields={[{ path: 'title', label: texts.title, original: charge.title }]}
      />
    </div>
  )
}
