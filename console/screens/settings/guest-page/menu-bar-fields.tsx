import { t } from '../../../app/language.ts'
import { CheckField } from '../../../objects/fields.tsx'
import { Check } from '../../../ui/controls.tsx'
import type { EditedVenue } from '../edited-venue.ts'

const menuActions = ['order', 'call', 'bill', 'share'] as const

/** The bar at the end of the menu. */
export function MenuBarFields({ of }: { of: EditedVenue }) {
  const { settings: texts } = t()
  const chosen = of.form.menuActions
  const takesCalls = chosen.includes('call') || chosen.includes('bill')
  return (
    <fieldset class="stack">
      <legend>{texts.menuBar}</legend>
      {menuActions.map((action) => (
        <Check
          key={action}
          label={texts.menuActions[action]}
          isOn={chosen.includes(action)}
          onChange={(isOn) =>
            of.set(
              'menuActions',
              menuActions.filter((each) => (each === action ? isOn : chosen.includes(each))),
            )
          }
        />
      ))}
      {takesCalls && (
        <>
          <CheckField of={of} name="requireTap" label={texts.requireTap} />
          <p class="hint">{texts.callsHint}</p>
        </>
      )}
    </fieldset>
  )
}
