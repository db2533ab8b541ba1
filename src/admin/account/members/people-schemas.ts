import * as z from 'zod/mini'
import { roles } from '../../../platform/db/schema/directory/users.ts'
import * as field from '../../../platform/http/fields.ts'
import { daySeconds } from '../../../platform/lib/day.ts'
import { invitationSeconds } from './invitation-statements.ts'

const role = z
  .enum(roles)
  .check(
    z.describe(
      '`owner`: everything. `manager`: all resources, stock, redemptions and events. `staff`: reads products, modifiers, menus, coupons and tags, and changes stock and availability. `developer`: webhooks, events, the audit log and test keys.',
    ),
  )
const maxDays = invitationSeconds / daySeconds
const nameText = field.trimmedText({ min: 1, max: field.limits.label })
const invitedName = 'Name of the invited person, who can change it. Absent: the person types it.'

const memberUpdate = z.strictObject({
  role: z.nullish(role),
  name: z.nullish(nameText).check(z.describe('Name of the member. Absent: unchanged.')),
})
const invitationCreate = z.strictObject({
  role,
  name: z.nullish(nameText).check(z.describe(invitedName)),
  days: z.nullish(field.integer(1, maxDays)).check(z.describe(`Lifetime in days. Default: ${maxDays}.`)),
})

/** Lifetime of an invitation, in seconds. */
export const toLifetime = (given: number | null | undefined) => (given ?? maxDays) * daySeconds

/** A member in responses. */
export const memberView = z.object({
  id: z.string(),
  name: z.string().check(z.describe('Name of the member.')),
  role,
  passkeys: z.int().check(z.describe('Number of the passkeys of the person.')),
  createdAt: z.int(),
  lastUsedAt: z.optional(z.int()).check(z.describe('Time of the last sign-in, in seconds since 1970-01-01 UTC.')),
})
/** An invitation in responses. */
export const invitationView = z.object({
  id: z.string(),
  role,
  name: z.optional(z.string()).check(z.describe(invitedName)),
  createdBy: z.string().check(z.describe('Id of the API key or the member, or `operator`.')),
  createdAt: z.int(),
  expiresAt: z.int().check(z.describe('Time of expiry, in seconds since 1970-01-01 UTC.')),
})
/** The response to a created invitation. */
export const createdInvitationView = z.extend(invitationView, {
  url: z.string().check(z.describe('Link that the invited person opens. Returned only once.')),
})

const readOnly = new Set(['id', 'createdBy', 'createdAt', 'expiresAt', 'passkeys', 'lastUsedAt', 'url'])
export const memberRules = { schema: memberUpdate, partial: memberUpdate, readOnly }
export const invitationRules = { schema: invitationCreate, partial: z.partial(invitationCreate), readOnly }
export const peopleSchemas = { memberUpdate, invitationCreate }
