import { formatNumber, formatPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { describeField } from '../history/undo.ts'
import type { PreparedChange } from './draft.ts'

/** Fields that are amounts. */
const amounts: ReadonlySet<string> = new Set(['price', 'minimumOrderAmount', 'maxDiscount'])

export const toFieldName = (pointer: string) => pointer.split('/')[2] ?? ''

/** A value in words. Undefined if it has parts. */
export function describeReleased(field: string, value: unknown): string | undefined {
  const { release: texts, conflict } = t()
  if (value === null || value === undefined || value === '') return conflict.empty
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'number') return amounts.has(field) ? formatPrice(value) : formatNumber(value)
  if (typeof value === 'string') return value
  return Array.isArray(value) ? texts.entries(value.length) : undefined
}

/** A field that changes, in words. */
function describeChange(pointer: string, before: unknown, after: unknown): string {
  const { release: texts } = t()
  const field = toFieldName(pointer)
  const [was, is] = [describeReleased(field, before), describeReleased(field, after)]
  const name = describeField(field)
  return was === undefined || is === undefined || was === is ? texts.changed(name) : texts.fromTo(name, was, is)
}

/** The changes of an object in words. */
export function listDifferences({ op, before, after }: PreparedChange): string[] {
  const { release: texts } = t()
  if (op === 'delete') return [texts.isDeleted]
  const pointers = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  if (op === 'update') return pointers.map((pointer) => describeChange(pointer, before[pointer], after[pointer]))
  const price = describeReleased('price', after['/body/price'])
  return [after['/body/price'] == null || price === undefined ? texts.isNew : `${texts.isNew}, ${price}`]
}
