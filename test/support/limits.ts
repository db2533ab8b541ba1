import { onTestFinished } from 'vitest'

/** Changes members of an exported object of limits until the current test ends, so that a test needs few rows to reach them. */
export function setLimits<Limits extends object>(
  limits: Limits,
  changed: { readonly [name in keyof Limits]?: number },
): void {
  const before = { ...limits }
  onTestFinished(() => void Object.assign(limits, before))
  Object.assign(limits, changed)
}
