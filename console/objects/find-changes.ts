const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON merge patch (RFC 7396) that turns one value into another. */
function diff(before: object, after: object): object {
  const old = new Map<string, unknown>(Object.entries(before))
  const next = new Map<string, unknown>(Object.entries(after))
  const changes = [...new Set([...old.keys(), ...next.keys()])].flatMap((name): [string, unknown][] => {
    const [from, to] = [old.get(name) ?? null, next.get(name) ?? null]
    if (JSON.stringify(from) === JSON.stringify(to)) return []
    return [[name, isGroup(from) && isGroup(to) ? diff(from, to) : to]]
  })
  return Object.fromEntries(changes)
}

/** Typed changes applied to a newer version of the object. Unchanged fields are those of the newer version. */
export function rebase<Form extends object>(before: Form, typed: Form, next: Form): Form {
  const old = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(typed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
  )
  return { ...next, ...Object.fromEntries(changed) }
}

/** Whether two changes concern the same field. */
export const doOverlap = (one: object, other: object) => Object.keys(one).some((name) => Object.hasOwn(other, name))

/** The fields of a body that differ between two versions. Fields of a group that are absent in the second version are `null`. */
export const findChanges = <Body extends object>(before: Body, after: Body): Partial<Body> =>
  // The type of a patch follows from that of the body.
  JSON.parse(JSON.stringify(diff(before, after)))
