import { signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { ProductDetails } from '../../../../packages/client/src/client.ts'
import { keep } from '../../../app/kept.ts'

/** The label whose products the list shows. Empty: all. */
export const shownLabel = keep('label', '')

/** Labels of the products that were read, for the choice of one. */
const knownLabels = signal<readonly string[]>([])

/** Notes the labels in the details of products. */
export function noteLabels(all: readonly (ProductDetails | undefined)[]): void {
  const labels = all.flatMap((details) => details?.labels ?? [])
  if (labels.some((label) => !knownLabels.value.includes(label))) {
    knownLabels.value = [...new Set([...knownLabels.value, ...labels])].sort((a, b) => a.localeCompare(b))
  }
}

const isSame = (a: string, b: string) => a.localeCompare(b, undefined, { sensitivity: 'base' }) === 0

/** A field for a label. It is there once a product with a label was read. A text that is no known label counts when it is complete. */
export function LabelFilter({ label, onChange }: { label: string; onChange: () => void }) {
  const list = useId()
  const apply = (text: string) => {
    if (text === shownLabel.value) return
    shownLabel.value = text
    onChange()
  }
  if (knownLabels.value.length === 0 && shownLabel.value === '') return null
  return (
    <>
      <input
        type="search"
        class="search by-label"
        aria-label={label}
        placeholder={label}
        list={list}
        defaultValue={shownLabel.value}
        maxLength={40}
        autocomplete="off"
        dir="auto"
        onInput={({ currentTarget: { value } }) => {
          const text = value.trim()
          if (text === '' || knownLabels.value.some((known) => isSame(known, text))) apply(text)
        }}
        onChange={({ currentTarget: { value } }) => apply(value.trim())}
      />
      <datalist id={list}>
        {knownLabels.value.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}
