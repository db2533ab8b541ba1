import * as z from 'zod/mini'
import { rules } from './rules.ts'

/** Checks a list even if some elements are invalid, so that one response contains every issue. */
const alsoWhenInvalid = { when: ({ value }: z.core.ParsePayload) => Array.isArray(value) }

/** A list of at most `max` elements. */
export const list = <Element extends z.ZodMiniType>(element: Element, max: number) =>
  z.array(element).check(
    z.superRefine((elements, context) => {
      if (elements.length <= max) return
      const message = `must have at most ${max} elements`
      context.addIssue({ code: 'custom', params: { code: 'too_many' }, message, input: elements })
    }, alsoWhenInvalid),
    z.meta({ maxItems: max }),
  )

/** Returns the index of each element whose key an earlier element has. Elements without a key are never duplicates. */
export function duplicates<Element>(elements: readonly Element[], keyOf: (element: Element) => string | undefined) {
  const seen = new Set<string>()
  return elements.flatMap((element, index) => {
    const key = keyOf(element)
    if (key === undefined) return []
    if (seen.has(key)) return [index]
    seen.add(key)
    return []
  })
}

/** A list of at least one and at most `max` elements. */
export const filledList = <Element extends z.ZodMiniType>(element: Element, max: number) =>
  list(element, max).check(
    rules((elements) =>
      elements.length > 0 ? undefined : { code: 'too_short', message: 'must have at least 1 element' },
    ),
    z.meta({ minItems: 1, maxItems: max }),
  )

/** A list of at most `max` elements with different keys. Ignores elements that are not valid, for which `getKey` returns undefined. */
export const uniqueList = <Element extends z.ZodMiniType>(
  element: Element,
  max: number,
  getKey: (element: unknown) => string | undefined,
) =>
  list(element, max).check(
    z.superRefine((elements, context) => {
      const message = 'is already in the list'
      for (const index of duplicates<unknown>(elements, getKey)) {
        context.addIssue({
          code: 'custom',
          params: { code: 'duplicate' },
          message,
          input: elements[index],
          path: [index],
        })
      }
    }, alsoWhenInvalid),
    z.meta({ maxItems: max }),
  )

/** A list of at most `max` texts without duplicates. */
export const set = <Element extends z.ZodMiniType<string, unknown>>(element: Element, max: number) =>
  uniqueList(element, max, (text) => (typeof text === 'string' ? text : undefined)).check(
    z.meta({ uniqueItems: true, maxItems: max }),
  )
