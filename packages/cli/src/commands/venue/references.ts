import { isRecord } from '../../files.ts'
import { toPointer } from './json-pointer.ts'
import type { ReferencePath } from './venue-fields.ts'

/** Replaces what is at a path. An element of a list for which `change` returns undefined is left out. */
export function mapReferences(
  value: unknown,
  [step, ...rest]: readonly string[],
  change: (reference: unknown, pointer: string) => unknown,
  at: readonly (string | number)[] = [],
): unknown {
  if (step === undefined) return change(value, toPointer(at))
  if (step === '*' && Array.isArray(value)) {
    const mapped = value.map((each: unknown, index) => mapReferences(each, rest, change, [...at, index]))
    return mapped.filter((each) => each !== undefined)
  }
  if (!isRecord(value)) return value
  const names = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : []
  const mapped = names.map((name) => [name, mapReferences(value[name], rest, change, [...at, name])] as const)
  return { ...value, ...Object.fromEntries(mapped) }
}

/** Replaces what is at all of the paths. */
export const mapAllReferences = (
  value: Record<string, unknown>,
  paths: readonly ReferencePath[],
  change: (reference: unknown, to: ReferencePath['to'], pointer: string) => unknown,
): Record<string, unknown> =>
  paths.reduce((current, { to, path }) => {
    const mapped = mapReferences(current, path, (reference, pointer) => change(reference, to, pointer))
    return isRecord(mapped) ? mapped : current
  }, value)
