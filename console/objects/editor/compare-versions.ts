import { t } from '../../app/language.ts'

/** A value in readable form. */
export function showValue(value: unknown, nameOf: (field: string) => string): string {
  if (value === undefined || value === null || value === '') return t().conflict.empty
  if (typeof value === 'boolean') return value ? '✓' : '–'
  if (Array.isArray(value)) return value.map((each) => showValue(each, nameOf)).join(', ') || t().conflict.empty
  if (typeof value !== 'object') return String(value)
  const parts = Object.entries(value)
  const [, title] = parts.find(([name]) => name === 'title' || name === 'label') ?? []
  if (typeof title === 'string') return title
  const texts = parts.flatMap(([name, part]) =>
    part === null || part === false ? [] : [`${nameOf(name)} ${showValue(part, nameOf)}`],
  )
  return texts.join(', ') || t().conflict.empty
}

/** The readable text of a field of an object, or of a change. Undefined or empty: the text of its value. */
export type ShowField<Values> = (field: string, of: Values) => string | undefined | Promise<string | undefined>

/** The fields of a change in readable form, in this version and in that of somebody else. */
export const compareVersions = <Values extends object>(
  mine: Values,
  theirs: Values,
  nameOf: (field: string) => string,
  show: ShowField<Values> = () => undefined,
) => {
  const describe = async (field: string, of: Values) => {
    const value = new Map<string, unknown>(Object.entries(of)).get(field)
    // If the titles of other objects cannot be read, the person can still choose.
    const text = await (async () => show(field, of))().catch(() => undefined)
    return text || showValue(value, nameOf)
  }
  return Promise.all(
    Object.keys(mine).map(async (field) => ({
      name: nameOf(field),
      // Uses the object as it would be stored, because the text of one field can depend on another.
      mine: await describe(field, { ...theirs, ...mine }),
      theirs: await describe(field, theirs),
    })),
  )
}
