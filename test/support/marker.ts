import * as z from 'zod'

/** A word that nothing else contains. */
export const marker = 'Qzmarker'
const texts = [marker, '2026-12-24', 'prod_01kajqb2kefz3t5ydm0pg6n9rw', `https://order.example/${marker}`, 'de']
const numbers = [77, 18, 1]

/** A value with the marker in it that a schema accepts. Knows no field. */
export function mark(schema: z.core.$ZodType): unknown {
  const { def } = schema._zod
  const fits = (value: unknown) => z.safeParse(schema, value).success
  if ('innerType' in def && def.innerType instanceof z.core.$ZodType) return mark(def.innerType)
  if ('in' in def && def.in instanceof z.core.$ZodType) return mark(def.in)
  if (schema instanceof z.core.$ZodObject)
    return Object.fromEntries(Object.entries(schema._zod.def.shape).map(([key, field]) => [key, mark(field)]))
  if (schema instanceof z.core.$ZodRecord) {
    const value = mark(schema._zod.def.valueType)
    return [{ fr: value }, { [marker]: value }].find(fits)
  }
  if (schema instanceof z.core.$ZodArray) return [mark(schema._zod.def.element)]
  if (schema instanceof z.core.$ZodEnum) return Object.values(schema._zod.def.entries)[0]
  return [...texts, ...numbers, true].find(fits)
}
