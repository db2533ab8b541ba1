import * as z from 'zod/mini'
import { getPause, type ServiceStateRow } from '../../platform/db/service/service-state.ts'
import type { Issue } from '../../platform/errors.ts'
import { seconds } from '../../platform/http/fields/seconds.ts'
import * as field from '../../platform/http/fields.ts'

const { limits } = field

/** Body that pauses a venue, ends its pause, or sets how long orders take. */
export const serviceRequest = z.strictObject({
  paused: z
    .nullish(field.boolean)
    .check(
      z.describe(
        '`true`: the venue takes no orders until `until`. Replaces a running pause. `false`: ends the pause. Absent: the pause stays as it is.',
      ),
    ),
  until: z
    .nullish(z.union([seconds, z.literal('tomorrow')], { error: 'must be a time in seconds, or tomorrow' }))
    .check(
      z.describe(
        "First second at which the venue takes orders again, in seconds since 1970-01-01 UTC. `tomorrow`: the next `dayStartsAt` of the merchant, in the venue's time zone; stored in seconds. Only with `paused: true`. Absent: until the pause is ended.",
      ),
    ),
  message: z
    .nullish(field.trimmedText({ max: limits.pauseMessage }))
    .check(z.describe('Message to guests during the pause, as plain text. Only with `paused: true`.')),
  prepMinutes: z
    .nullish(field.integer(0, limits.prepMinutes))
    .check(
      z.describe(
        'Minutes that an order takes at present. Quotes answer it. Independent of a pause. Absent: stays. `null`: not stated.',
      ),
    ),
})

export const serviceRules = {
  schema: serviceRequest,
  partial: z.partial(serviceRequest),
  readOnly: new Set<string>(),
}

/** Whether a venue takes orders, as the API shows it. */
export const serviceView = z.object({
  paused: z.boolean().check(z.describe('Whether the venue is paused: it takes no orders.')),
  until: z
    .optional(z.int())
    .check(
      z.describe(
        'First second at which the venue takes orders again, in seconds since 1970-01-01 UTC. Absent without a pause, and until a pause is ended.',
      ),
    ),
  message: z.optional(z.string()).check(z.describe('Message to guests during the pause. Absent if nothing is set.')),
  prepMinutes: z
    .optional(z.int())
    .check(z.describe('Minutes that an order takes at present. Absent if it is not stated.')),
})
export type ServiceState = z.output<typeof serviceView>

/** The state of a stored row at a time in seconds. */
export function toServiceState(row: ServiceStateRow | undefined, at: number): ServiceState {
  const pause = getPause(row, at)
  return { paused: pause !== undefined, ...pause, ...(row?.prepMinutes != null && { prepMinutes: row.prepMinutes }) }
}

/** Issues of a pause: its end is over, or members of a pause without one. */
export function* listServiceIssues(
  { paused, until, message }: Readonly<Record<string, unknown>>,
  now: number,
): Iterable<Issue> {
  for (const [name, value] of Object.entries({ until, message }))
    if (value != null && paused !== true)
      yield { pointer: `/${name}`, code: 'conflict', message: 'must not be given without paused true' }
  if (typeof until === 'number' && until <= now)
    yield { pointer: '/until', code: 'too_small', message: 'must be in the future' }
}
