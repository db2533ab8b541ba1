import { t } from '../../app/language.ts'
import { listCountries, listCurrencies, listLanguages, listZones } from '../../objects/contents/named-codes.ts'
import { CheckField, NumberField, TextField } from '../../objects/fields.tsx'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { PictureField } from '../../ui/pictures/picture-field.tsx'
import { Closures, SpecialHoursList } from './closures.tsx'
import type { EditedVenue } from './edited-venue.ts'
import { MenuBarFields } from './guest-page/menu-bar-fields.tsx'
import { NamedField } from './named-field.tsx'
import { Notes } from './notes.tsx'
import { OpeningHours } from './opening-hours.tsx'
import { SupportAccess } from './support-access.tsx'
import { addressFields, fromClock, toClock } from './venue-form.ts'

interface Props {
  of: EditedVenue
}
const logoSize = 96

/** Stands for the number of the table in the address that a scanned code opens. */
const tablePlaceholder = '{metadata.table}'
const withTable = (url: string) => `${url}${url.includes('?') ? '&' : '?'}table=${tablePlaceholder}`

/** Name, place and addresses of the venue's orders. */
export function BasicFields({ of }: Props) {
  const { settings: texts } = t()
  return (
    <>
      <TextField of={of} name="name" label={texts.name} input={{ maxLength: 255 }} />
      <NamedField of={of} name="timezone" label={texts.timezone} list={listZones} />
      <NamedField of={of} name="currency" label={texts.currency} list={listCurrencies} />
      <Field
        label={texts.dayStartsAt}
        value={toClock(of.form.dayStartsAt)}
        error={of.errorOf('dayStartsAt')}
        input={{ type: 'time' }}
        onInput={(clock) => clock !== '' && of.set('dayStartsAt', fromClock(clock))}
      />
      <TextField
        of={of}
        name="orderingUrl"
        label={texts.orderingUrl}
        hint={texts.orderingUrlHint}
        input={{ type: 'url' }}
      />
      {of.form.orderingUrl !== '' && !of.form.orderingUrl.includes(tablePlaceholder) && (
        <div>
          <button
            type="button"
            class="link"
            onClick={() => of.set('orderingUrl', withTable(of.form.orderingUrl.trim()))}
          >
            {texts.insertTable}
          </button>
        </div>
      )}
      <TextField of={of} name="sandboxUrl" label={texts.sandboxUrl} input={{ type: 'url' }} />
      <TextField
        of={of}
        name="destinationHosts"
        label={texts.destinationHosts}
        hint={texts.destinationHostsHint}
        input={{ inputMode: 'url', autocapitalize: 'none', spellcheck: false }}
      />
      <CheckField of={of} name="publishBy" label={texts.publishBy} />
      <SupportAccess of={of} />
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
        <label key={theme} class={`theme look-${theme}`}>
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

/** The color that pickers show until one is chosen. */
const defaultColor = '#96380f'

/** The color of the venue. */
function Color({ of }: Props) {
  const { settings: texts, action } = t()
  const { color } = of.form
  return (
    <div class="with-unit end">
      <Field
        label={texts.color}
        value={color === '' ? defaultColor : color}
        error={of.errorOf('color')}
        input={{ type: 'color', class: 'swatch' }}
        onInput={(chosen) => of.set('color', chosen)}
      />
      {color !== '' && (
        <button type="button" class="quiet" onClick={() => of.set('color', '')}>
          {action.removeOf(texts.color)}
        </button>
      )}
    </div>
  )
}

/** The data of the venue that guests see. */
export function ProfileFields({ of }: Props) {
  const { settings: texts } = t()
  const hoursError = of.errorOf('openingHours')
  return (
    <>
      <h3>{texts.profile}</h3>
      <Logo of={of} />
      <NamedField of={of} name="language" label={texts.textsIn} list={listLanguages} />
      <ThemeField of={of} />
      <Color of={of} />
      <MenuBarFields of={of} />
      <div class="pair">
        <TextField of={of} name="phone" label={texts.phone} input={{ type: 'tel' }} />
        <TextField of={of} name="website" label={texts.website} input={{ type: 'url' }} />
      </div>
      {addressFields.map((name) => (
        <div key={name}>
          {name === 'country' ? (
            <NamedField of={of} name={name} label={texts[name]} list={listCountries} />
          ) : (
            <TextField of={of} name={name} label={texts[name]} />
          )}
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
