import * as z from 'zod/mini'
import type { IssueCode } from '../../errors.ts'

/** Names of JSON types in messages, by zod's names. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
}

/** Messages of schemas that declare none. */
z.config({
  localeError: (issue) => {
    if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? issue.expected}`
    if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`
    return 'is not valid'
  },
})

/** A rule for one value. Returns undefined for a valid value, otherwise the issue. */
export type Rule<Value> = (value: Value) => { code: IssueCode; message: string } | undefined

/** Creates a zod check from rules. Reports the first rule that fails. */
export const rules =
  <Value>(...all: readonly Rule<Value>[]) =>
  (payload: z.core.ParsePayload<Value>) => {
    for (const rule of all) {
      const failure = rule(payload.value)
      if (failure) {
        payload.issues.push({
          code: 'custom',
          params: { code: failure.code },
          message: failure.message,
          input: payload.value,
        })
        return
      }
    }
  }
