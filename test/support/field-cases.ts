import { expect } from 'vitest'
import { toIssues, type Venue } from './api.ts'
import { samples } from './samples.ts'

/** A body with one value at the place a JSON pointer names; lists have as many elements as the pointer needs. */
function withValue(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (/^\d+$/.test(key)) return [withValue(Array.isArray(body) ? body[Number(key)] : undefined, rest, value)]
  const fields = { ...(typeof body === 'object' ? body : {}) }
  return { ...fields, [key]: withValue(Reflect.get(fields, key), rest, value) }
}
const valueAt = (body: unknown, path: readonly string[]) =>
  path.reduce<unknown>((inner, key) => (Object(inner) === inner ? Reflect.get(Object(inner), key) : undefined), body)

/** Required fields of an element, so that its other fields are checked. */
const elements: Record<string, object> = {
  products: { images: [{ url: 'https://a.b/c' }], metadata: [{ key: 'k', value: 'v' }] },
  tags: { metadata: [{ key: 'k', value: 'v' }] },
  // Nothing is sent anywhere.
  webhooks: { active: false },
}

/** Creates with a value at the place a JSON pointer names, and updates to it: both must see the same limits. */
export function createFieldCases(venue: Venue, collection: string, pointer: string) {
  const sample = samples.find((each) => each.collection === collection)
  const path = pointer.split('/').slice(1)
  const made = venue.post(`/${collection}`, { ...sample?.body('Thing'), ...elements[collection] })
  const body = (value: unknown) => withValue({ ...sample?.body('Thing'), ...elements[collection] }, path, value)
  const change = (value: unknown) => {
    const [field = ''] = path
    return { [field]: valueAt(body(value), [field]) }
  }
  const both = async (value: unknown) => [
    await venue.post(`/${collection}`, body(value)),
    await venue.post(`/${collection}/${(await made).body.id}`, change(value)),
  ]
  return {
    async takes(value: unknown, kept: unknown = value) {
      const [created, updated] = await both(value)
      expect([created?.status, valueAt(created?.body, path)]).toEqual([201, kept])
      expect([updated?.status, valueAt(updated?.body, path)]).toEqual([200, kept])
      expect(valueAt((await venue.get(`/${collection}/${created?.body.id}`)).body, path)).toEqual(kept)
    },
    async refuses(value: unknown, code: string) {
      for (const response of await both(value))
        expect([value, toIssues(response)]).toEqual([value, [`${pointer} ${code}`]])
    },
  }
}
