import * as z from 'zod/mini'
import { eventNames, testEventType } from '../../catalogue/events/event-types.ts'
import * as field from '../../platform/http/fields.ts'
import { listFields } from '../../platform/http/pagination.ts'
import { maxExaminedEvents } from './feed-statements.ts'

/** Every type that the feed contains. */
export const feedTypes: readonly string[] = [...eventNames, testEventType]

/** Value of `after` for the position after the newest event. */
export const latest = 'latest'

const types = z.pipe(
  z.pipe(
    z.union([z.string(), z.array(z.string())]),
    z.transform((value) => [...new Set([value].flat().flatMap((text) => text.split(',')))]),
  ),
  z
    .array(z.string().check(z.meta({ enum: [...feedTypes] })))
    .check(
      field.rules((names) =>
        names.every((name) => feedTypes.includes(name))
          ? undefined
          : { code: 'invalid_value', message: `must be event types with commas between them: ${feedTypes.join(', ')}` },
      ),
    ),
)

export const eventsQuery = z.strictObject({
  limit: listFields.limit,
  order: z
    .optional(z.enum(['asc', 'desc']))
    .check(z.describe('`asc`, the default, is oldest first. `desc` is newest first.')),
  types: z
    .optional(types)
    .check(
      z.describe(
        `Returns only events of these types, separated by commas. A page examines at most ${maxExaminedEvents.toLocaleString('en')} events, so it may be empty although more follow: continue with \`Link\`.`,
      ),
    ),
  after: z
    .optional(field.reference)
    .check(
      z.describe(
        `Id of an event. Returns the events after it; with \`order=desc\`, those before it. \`${latest}\` returns an empty page whose \`Link\` begins after the newest event.`,
      ),
    ),
})
