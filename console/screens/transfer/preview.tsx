import type { ImportPreview } from '../../../packages/client/src/client.ts'
import { formatPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const priceOf = (value: unknown) => (typeof value === 'number' ? formatPrice(value) : textOf(value))

/** Name of an object: its title, the name of a person, or its code, area and table. */
function nameOf({ object }: ImportPreview): string {
  const { title, firstName, lastName, metadata } = object
  if (title !== undefined) return textOf(title)
  const person = [firstName, lastName].map(textOf).filter(Boolean).join(' ')
  if (person !== '') return person
  return (Array.isArray(metadata) ? metadata : [])
    .map((entry: unknown) => textOf(Object(entry)['value']))
    .filter(Boolean)
    .join(' · ')
}

/** Second line of an object. */
function describe({ object, sizes = [] }: ImportPreview): string {
  if (sizes.length > 0) return sizes.map(({ label, price }) => `${label} ${priceOf(price)}`).join(' · ')
  return [object['description'], object['code'], object['email'], object['phone']]
    .map(textOf)
    .filter(Boolean)
    .join(' · ')
}

/** Objects of a section of the menu. The empty title is for objects without one. */
function toSections(rows: readonly ImportPreview[]) {
  const usable = rows.filter(({ issues }) => issues.every(({ severity }) => severity === 'notice'))
  return Map.groupBy(usable, ({ sections }) => sections?.[0] ?? '')
}

/** The first objects of a file as guests will see them: sections, titles, sizes and prices. */
export function Preview({ rows }: { rows: readonly ImportPreview[] }) {
  const { transfer: texts } = t()
  const sections = [...toSections(rows)]
  if (sections.length === 0) return null
  return (
    <section class="import-preview" aria-label={texts.preview}>
      {sections.map(([title, objects]) => (
        <div key={title}>
          {title !== '' && <h3 dir="auto">{title}</h3>}
          <ul class="plain-list">
            {objects.map((each) => (
              <li key={each.row}>
                <span>
                  <span class="strong" dir="auto">
                    {nameOf(each)}
                  </span>
                  <small dir="auto">{describe(each)}</small>
                </span>
                {each.sizes === undefined && <span>{priceOf(each.object['price'] ?? '')}</span>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
