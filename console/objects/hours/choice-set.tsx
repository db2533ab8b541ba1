import { Check } from '../../ui/controls.tsx'

/** Checkboxes for some of the elements of a list. */
export function ChoiceSet<Element extends string>(props: {
  legend: string
  all: readonly Element[]
  chosen: readonly Element[]
  nameOf: (element: Element) => string
  error: string | undefined
  onChange: (chosen: readonly Element[]) => void
}) {
  const { legend, all, chosen, nameOf, error, onChange } = props
  return (
    <>
      <fieldset class="choice set" aria-invalid={error ? true : undefined} tabIndex={-1}>
        <legend>{legend}</legend>
        {all.map((each) => (
          <Check
            key={each}
            label={nameOf(each)}
            isOn={chosen.includes(each)}
            onChange={(isOn) => onChange(isOn ? [...chosen, each] : chosen.filter((other) => other !== each))}
          />
        ))}
      </fieldset>
      {error && <p class="error">{error}</p>}
    </>
  )
}
