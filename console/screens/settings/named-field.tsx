import { t } from '../../app/language.ts'
import { nameZone } from '../../objects/contents/named-codes.ts'
import { Select } from '../../ui/select.tsx'
import type { EditedVenue } from './edited-venue.ts'

/** A list of named codes for a field of the venue. An unset field shows "not chosen". */
export function NamedField(props: {
  of: EditedVenue
  name: 'timezone' | 'currency' | 'language' | 'country'
  label: string
  list: (kept: string) => readonly (readonly [string, string])[]
}) {
  const { of, name, label, list } = props
  const value = of.form[name]
  const error = of.errorOf(name)
  const options = list(value)
  return (
    <div class="field">
      <Select
        label={label}
        value={value}
        options={name === 'timezone' ? options : [['', t().settings.notChosen], ...options]}
        onChange={(chosen) => of.set(name, chosen)}
      />
      {name === 'timezone' && <p class="hint">{nameZone(value)}</p>}
      {error && <p class="error">{error}</p>}
    </div>
  )
}
