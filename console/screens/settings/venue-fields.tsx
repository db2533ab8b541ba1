import { t } from '../../app/language.ts'
import { CheckField, NumberField, TextField } from '../../objects/fields.tsx'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { PictureField } from '../../ui/pictures/picture-field.tsx'
import { Closures, SpecialHoursList } from './closures.tsx'
import type { EditedVenue } from './edited-venue.ts'
import { Notes } from './notes.tsx'
import { OpeningHours } from './opening-hours.tsx'
import { addressFields, fromClock, toClock } from './venue-form.ts'

interface Props {
  of: EditedVenue
}
const zones = Intl.supportedValuesOf('timeZone')
const currencies = Intl.supportedValuesOf('currency')
const logoSize = 96

const Choices = ({ id, values }: { id: string; values: readonly string[] }) => (
  <datalist id={id}>
    {values.map((value) => (
      <option key={value} value={value} />
    ))}
  </datalist>
)

/** Name, place and addresses of the venue's orders. */
export function BasicFields({ of }: Props) {
  const { settings: texts } = t()
  return (
    <>
      <TextField of={of} name="name" label={texts.name} input={{ maxLength: 255 }} />
      <div class="pair">
        <TextField of={of} name="timezone" label={texts.timezone} input={{ list: 'zones', spellcheck: false }} />
        <TextField
          of={of}
          name="currency"
          label={texts.currency}
          hint={texts.currencyHint}
          input={{ list: 'currencies', maxLength: 3, spellcheck: false }}
        />
      </div>
      <Field
        label={texts.dayStartsAt}
        value={toClock(of.form.dayStartsAt)}
        error={of.errorOf('dayStartsAt')}
        input={{ type: 'time' }}
        onInput={(clock) => clock !== '' && of.set('dayStartsAt', fromClock(clock))}
      />
      <Choices id="zones" values={zones} />
      <Choices id="currencies" values={currencies} />
      <TextField
        of={of}
        name="orderingUrl"
        label={texts.orderingUrl}
        hint={texts.orderingUrlHint}
        input={{ type: 'url' }}
      />
      <TextField of={of} name="sandboxUrl" label={texts.sandboxUrl} input={{ type: 'url' }} />
    </>
  )
}

export function TaxFields({ of }: Props) {
  const { settings: texts } = t()
  return (
    <>
      <h3>{texts.tax}</h3>
      <CheckField of={of} name="pricesIncludeTax" label={texts.pricesIncludeTax} />
      <TextField of={of} name="taxRate" label={texts.taxRate} input={{ inputMode: 'decimal' }} />
      <div class="pair">
        <NumberField of={of} name="takeawayRate" label={texts.takeawayRate} hint={texts.typeRateHint} />
        <NumberField of={of} name="deliveryRate" label={texts.deliveryRate} />
      </div>
      <NumberField of={of} name="cashRounding" label={texts.cashRounding} hint={texts.cashRoundingHint} />
    </>
  )
}

function Logo({ of: { merchant, uploadLogo, removeLogo } }: Props) {
  const { settings: texts, action } = t()
  return (
    <div class="code">
      {merchant.logo && (
        <>
          <img src={merchant.logo} width={logoSize} height={logoSize} alt={texts.logo} />
          <button
            type="button"
            class="quiet square"
            aria-label={action.removeOf(texts.logo)}
            onClick={() => void removeLogo()}
          >
            <Icon name="trash" />
          </button>
        </>
      )}
      <PictureField label={texts.addLogo} onPick={uploadLogo} />
    </div>
  )
}

/** The designs of pages for guests, each with a small picture of what it looks like in the color of the venue. */
function ThemeField({ of }: Props) {
  const { settings: texts } = t()
  const color = /^#[0-9a-f]{6}$/i.test(of.form.color) ? of.form.color : undefined
  return (
    <fieldset class="themes">
      <legend>{texts.theme}</legend>
      {themes.map((theme) => (
        <label key={theme} class={`theme ${theme}`}>
          <input
            type="radio"
            name="theme"
            checked={(of.form.theme || 'cafe') === theme}
            onChange={() => of.set('theme', theme)}
          />
          <svg viewBox="0 0 120 84" aria-hidden="true">
            <rect class="sheet" width="120" height="84" />
            <rect class="band" width="120" height={theme === 'bar' ? 18 : 4} fill={color} />
            <text
              x={theme === 'fine' ? 60 : 10}
              y="36"
              text-anchor={theme === 'fine' ? 'middle' : 'start'}
              fill={color}
            >
              {texts.themes[theme]}
            </text>
            <path
              d={theme === 'fine' ? 'M40 48h40M30 60h60M30 70h60' : 'M10 50h60M10 60h48M10 72h60M96 50h14M96 72h14'}
            />
          </svg>
          <span>{texts.themes[theme]}</span>
        </label>
      ))}
    </fieldset>
  )
}
const themes = ['cafe', 'bar', 'fine'] as const

/** The data of the venue that guests see. */
export function ProfileFields({ of }: Props) {
  const { settings: texts } = t()
  const hoursError = of.errorOf('openingHours')
  const code = { maxLength: 35, spellcheck: false }
  return (
    <>
      <h3>{texts.profile}</h3>
      <Logo of={of} />
      <TextField of={of} name="language" label={texts.textsIn} hint={texts.textsInHint} input={code} />
      <ThemeField of={of} />
      <TextField of={of} name="color" label={texts.color} hint="#96380f" input={{ maxLength: 7, spellcheck: false }} />
      <div class="pair">
        <TextField of={of} name="phone" label={texts.phone} input={{ type: 'tel' }} />
        <TextField of={of} name="website" label={texts.website} input={{ type: 'url' }} />
      </div>
      {addressFields.map((name) => (
        <div key={name}>
          <TextField
            of={of}
            name={name}
            label={texts[name]}
            hint={name === 'country' ? texts.countryHint : undefined}
          />
        </div>
      ))}
      <OpeningHours
        hours={of.form.openingHours}
        errorOf={of.errorOf}
        onChange={(openingHours) => of.set('openingHours', openingHours)}
      />
      {hoursError && <p class="error">{hoursError}</p>}
      <CheckField of={of} name="hoursClose" label={texts.hoursClose} />
      <Closures
        entries={of.form.closures}
        errorOf={of.errorOf}
        onChange={(closures) =>
          of.set(
            'closures',
            closures.map(({ title = '', ...days }) => ({ ...days, title })),
          )
        }
      />
      <SpecialHoursList
        entries={of.form.specialHours}
        errorOf={of.errorOf}
        onChange={(specialHours) => of.set('specialHours', specialHours)}
      />
      <Notes notes={of.form.notes} errorOf={of.errorOf} onChange={(notes) => of.set('notes', notes)} />
    </>
  )
}
