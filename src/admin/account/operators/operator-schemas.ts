import * as z from 'zod/mini'
import { operatorRoles } from '../../../platform/db/schema/directory/operators.ts'
import * as field from '../../../platform/http/fields.ts'
import { assertionFields, registrationFields } from '../passkeys/passkey-schemas.ts'

const role = z
  .enum(operatorRoles)
  .check(
    z.describe(
      '`admin`: everything. `support`: reads merchants, their usage, keys without secrets, moves and failing webhooks, metrics and operators.',
    ),
  )
const name = field.trimmedText({ min: 1, max: field.limits.label })
const emailText =
  'E-mail address that Cloudflare Access verifies, in lower case: with it, the operator needs no passkey. Unique.'
const nameText = 'Name of the person, which audit logs show.'

const create = z.strictObject({
  role,
  name: name.check(z.describe(nameText)),
  email: z.nullish(field.email).check(z.describe(emailText)),
})
const update = z.strictObject({
  role: z.nullish(role),
  name: z.nullish(name).check(z.describe(`${nameText} Absent: unchanged.`)),
  email: z.nullish(field.email).check(z.describe(`${emailText} \`null\` removes it.`)),
})
const token = z.strictObject({
  token: field.exactText({ min: 1, max: 64 }).check(z.describe('Token of the invitation: the fragment of its link.')),
})
const registration = z.strictObject({
  ...token.shape,
  credential: registrationFields.check(z.describe('The new passkey.')),
  title: z
    .nullish(field.trimmedText({ min: 1, max: field.limits.label }))
    .check(z.describe('Name of the passkey, such as that of the device.')),
})

/** An operator in responses. */
export const operatorView = z.object({
  id: z.string(),
  role,
  name: z.string().check(z.describe(nameText)),
  email: z.optional(z.string()).check(z.describe(emailText)),
  passkeys: z.int().check(z.describe('Number of the passkeys of the operator.')),
  invitedUntil: z
    .optional(z.int())
    .check(z.describe('Expiry of the open invitation, in seconds since 1970-01-01 UTC. Absent: no open invitation.')),
  createdBy: z.string().check(z.describe('Id of the operator, or `operator` for the token.')),
  createdAt: z.int(),
  lastUsedAt: z.optional(z.int()).check(z.describe('Time of the last sign-in, in seconds since 1970-01-01 UTC.')),
})
/** An operator with the link of an invitation. */
export const invitedOperatorView = z.extend(operatorView, {
  url: z.string().check(z.describe('Link that the person opens to create a passkey. Returned only once.')),
})
/** An invitation as the invited person sees it. */
export const operatorInvitationView = z.object({
  name: z.string().check(z.describe(nameText)),
  role,
  expiresAt: z.int().check(z.describe('Time of expiry, in seconds since 1970-01-01 UTC.')),
})

export const operatorSignInFields = z.strictObject({
  token: z.nullish(field.exactText({ min: 1, max: 1_024 })).check(z.describe('The secret of the operator.')),
  credential: z
    .nullish(assertionFields)
    .check(
      z.describe(
        'The response of a passkey of an operator. Without it and `token`, Cloudflare Access must have signed the person in.',
      ),
    ),
})

const readOnly = new Set(['id', 'passkeys', 'invitedUntil', 'createdBy', 'createdAt', 'lastUsedAt', 'url'])
const createRules = <Schema extends z.ZodMiniObject>(schema: Schema) => ({
  schema,
  partial: z.partial(schema),
  readOnly: new Set<string>(),
})
export const operatorRules = {
  create: { schema: create, partial: z.partial(create), readOnly },
  update: { schema: update, partial: update, readOnly },
  empty: createRules(z.strictObject({})),
  token: createRules(token),
  registration: createRules(registration),
  signIn: createRules(operatorSignInFields),
}
export const operatorBodies = { create, update, token, registration }
