import * as z from 'zod/mini'
import { getOwn, isObject } from './schema-guard.ts'

const proto = '__proto__'
/** Name of a member `__proto__` inside `z.record`, which would leave it out. */
const hidden = ` ${proto}`

const rename = (record: object, from: string, to: string) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]))

/** A record whose members can have any name, such as headings of files. `z.record` leaves out a member named `__proto__`. */
export const openRecord = <Value extends z.ZodMiniType>(value: Value) =>
  z.pipe(
    z.pipe(
      z.transform((input: unknown, { issues }) => {
        if (!isObject(input) || !Object.hasOwn(input, proto)) return input
        const run = value._zod.run({ value: getOwn(input, proto), issues: [] }, { async: false })
        if (!(run instanceof Promise))
          issues.push(...run.issues.map((issue) => ({ ...issue, path: [proto, ...(issue.path ?? [])] })))
        return rename(input, proto, hidden)
      }),
      z.record(z.string(), value),
    ),
    z.transform((record) => (Object.hasOwn(record, hidden) ? rename(record, hidden, proto) : record)),
  )
