import type { ImportMapping } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import type { Reading } from './import-store.ts'
import type { ResourceName } from './resources.ts'

/** Fields that people choose for columns. Further ones are known from exports of other systems. */
const choosable = {
  products: [
    ...(['title', 'price', 'description', 'category', 'size', 'sku', 'upc', 'images', 'visible'] as const),
    ...(['taxRate', 'manageStock', 'stockQuantity', 'calories', 'modifiers', 'externalId'] as const),
  ],
  customers: ['firstName', 'lastName', 'email', 'phone', 'externalId'],
  tags: ['table', 'area', 'externalId'],
  coupons: [
    ...([
      'code',
      'title',
      'value',
      'percent',
      'amount',
      'type',
      'description',
      'active',
      'minimumOrderAmount',
    ] as const),
    ...(['limits.startsAt', 'limits.endsAt', 'limits.maxRedemptions', 'limits.maxRedemptionsPerCustomer'] as const),
    ...(['limits.maxDiscount', 'individualUse', 'timesRedeemed', 'externalId'] as const),
  ],
} as const

const listFields = (resource: ResourceName | undefined): readonly string[] =>
  resource === 'customers' || resource === 'tags' || resource === 'coupons' ? choosable[resource] : choosable.products

/** Names of the fields that columns can become. */
export const getFieldNames = (resource: ResourceName | undefined): Readonly<Record<string, string>> => {
  const { fields, couponFields } = t().transfer
  return resource === 'coupons' ? { ...fields, ...couponFields } : fields
}

/** A member that a record has itself. Headings can be names such as `constructor`, which every object inherits. */
export const getOwn = <Value,>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined

/** The columns of a table with values, and what each becomes. */
export function Columns(props: {
  columns: Reading['columns']
  resource: ResourceName | undefined
  choices: ImportMapping
  onChoose: (choices: ImportMapping) => void
}) {
  const { transfer: texts } = t()
  const names = getFieldNames(props.resource)
  const { columns, choices } = props
  const used = columns.filter(({ to }) => to !== null).length
  const fields = listFields(props.resource)
  return (
    <details class="columns">
      <summary>{texts.columnsUsed(used, columns.length)}</summary>
      <ul class="plain-list">
        {columns
          .filter(({ name }) => name !== '')
          .map(({ name, to, samples }, index) => {
            const chosen = getOwn(choices.columns, name)
            const value = chosen === undefined ? to : chosen
            // A field of an export of another system stays choosable.
            const options = to === null || fields.includes(to) ? fields : [to, ...fields]
            return (
              <li key={`${index} ${name}`}>
                <label>
                  <span class="strong">{name}</span>
                  <small dir="auto">{samples.join(' · ')}</small>
                  <select
                    value={value ?? ''}
                    onChange={({ currentTarget }) =>
                      props.onChoose({ columns: { [name]: currentTarget.value === '' ? null : currentTarget.value } })
                    }
                  >
                    <option value="">{texts.leftOut}</option>
                    {options.map((field) => (
                      <option key={field} value={field}>
                        {getOwn(names, field) ?? field.replace(/^\w+\./, '')}
                      </option>
                    ))}
                  </select>
                </label>
              </li>
            )
          })}
      </ul>
    </details>
  )
}
