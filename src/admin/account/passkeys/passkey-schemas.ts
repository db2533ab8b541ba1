import * as z from 'zod/mini'
import { roles } from '../../../platform/db/schema/directory/users.ts'
import * as field from '../../../platform/http/fields.ts'
import { challengeSeconds } from './challenge.ts'

/** Limits of passkey data from browsers, in characters of base64url. Ids have at most 1,023 bytes (WebAuthn). */
const limits = { id: 1_364, response: 4_096, transports: 10 } as const
const maxTokenLength = 64

const credentialId = field.exactText({ min: 1, max: limits.id })
const response = field.exactText({ min: 1, max: limits.response })

/** Result of `PublicKeyCredential.toJSON()` for a new passkey, without fields that the service does not read. */
export const registrationFields = z.object({
  id: credentialId.check(z.describe('Id of the passkey, in base64url.')),
  type: z.literal('public-key').check(z.describe('Always `public-key`.')),
  response: z
    .object({
      clientDataJSON: response.check(
        z.describe('Client data (JSON) that the browser passed to the authenticator, as base64url.'),
      ),
      authenticatorData: response.check(z.describe('Data of the authenticator: its flags and its counter.')),
      publicKey: response.check(z.describe('Public key in the format SubjectPublicKeyInfo (RFC 5280).')),
      publicKeyAlgorithm: z.int().check(z.describe('COSE number of the algorithm: -7, -8 or -257.')),
      transports: z.optional(
        field.set(field.exactText({ min: 1, max: 32 }), limits.transports).check(z.describe('Hints for browsers.')),
      ),
    })
    .check(z.describe('Response of the authenticator. Binary values are in base64url.')),
})

/** Result of `PublicKeyCredential.toJSON()` for a sign-in, without fields that the service does not read. */
export const assertionFields = z.object({
  id: credentialId.check(z.describe('Id of the passkey, in base64url.')),
  type: z.literal('public-key').check(z.describe('Always `public-key`.')),
  response: z
    .object({
      clientDataJSON: response.check(
        z.describe('Client data (JSON) that the browser passed to the authenticator, as base64url.'),
      ),
      authenticatorData: response.check(z.describe('Data of the authenticator: its flags and its counter.')),
      signature: response.check(z.describe('Signature of the passkey.')),
      userHandle: z.nullish(field.exactText({ max: 128 })).check(z.describe('User handle of the person. Not read.')),
    })
    .check(z.describe('Response of the authenticator. Binary values are in base64url.')),
})

const token = field.exactText({ min: 1, max: maxTokenLength })
const title = field.trimmedText({ min: 1, max: field.limits.label })
const name = field.trimmedText({ min: 1, max: field.limits.label })

const invitation = z.strictObject({
  token: token.check(z.describe('Token of the invitation: the fragment of its link.')),
})
const registrationOptions = z.strictObject({
  token: z
    .nullish(token)
    .check(z.describe('Token of an invitation. Absent: the passkey is for the member who is signed in.')),
  name: z.nullish(name).check(z.describe('Name of the new member. Required with `token`.')),
})
const registration = z.strictObject({
  ...registrationOptions.shape,
  credential: registrationFields.check(z.describe('The new passkey.')),
  title: z.nullish(title).check(z.describe('Name of the passkey, such as that of the device.')),
})
const update = z.strictObject({
  title: z.nullable(title).check(z.describe('Name of the passkey. `null` removes it.')),
})
const signIn = z.strictObject({
  credential: assertionFields.check(z.describe('The response of the passkey.')),
  merchant: z
    .nullish(field.exactText({ min: 1, max: field.limits.id }))
    .check(z.describe('Merchant to sign in to. Default: the last used merchant of the person that is not suspended.')),
  token: z.nullish(token).check(z.describe('Token of an invitation of another merchant, which the person joins.')),
})

const assertion = z.strictObject({ credential: assertionFields.check(z.describe('The response of the passkey.')) })

const createRules = <Schema extends z.ZodMiniObject>(schema: Schema) => ({
  schema,
  partial: z.partial(schema),
  readOnly: new Set<string>(),
})
/** Rules of the bodies. */
export const passkeyRules = {
  empty: createRules(z.strictObject({})),
  invitation: createRules(invitation),
  registrationOptions: createRules(registrationOptions),
  registration: createRules(registration),
  signIn: createRules(signIn),
  assertion: createRules(assertion),
  update: createRules(update),
}
export const passkeyBodies = { invitation, registrationOptions, registration, signIn, assertion, update }

/** An invitation as the invited person sees it. */
export const openedInvitationView = z.object({
  merchant: z
    .object({
      id: z.string().check(z.describe('Id of the merchant.')),
      name: z.string().check(z.describe('Name of the venue.')),
    })
    .check(z.describe('The merchant that invites.')),
  role: z.enum(roles).check(z.describe('Role of the new member.')),
  name: z.optional(z.string()).check(z.describe('Name that the invitation gives the person. Absent: none.')),
  expiresAt: z.int().check(z.describe('Time of expiry, in seconds since 1970-01-01 UTC.')),
})

/** A passkey in responses. */
export const passkeyView = z.object({
  id: z.string().check(z.describe('Id of the passkey, in base64url.')),
  title: z.optional(z.string()).check(z.describe('Name from the person. Absent: no name.')),
  createdAt: z.int(),
  lastUsedAt: z
    .optional(z.int())
    .check(z.describe('Time of the last sign-in, in seconds since 1970-01-01 UTC. Absent: not used yet.')),
})

/** A confirmed session. */
export const assertionView = z.object({
  id: z.string().check(z.describe('Id of the session.')),
  assertedAt: z.int().check(z.describe('Time of the assertion, in seconds since 1970-01-01 UTC.')),
  expiresAt: z
    .int()
    .check(
      z.describe(
        'Time until which the session can add and delete passkeys, create keys and invitations, and change roles, in seconds since 1970-01-01 UTC.',
      ),
    ),
})

/** A change of the person's passkeys. */
export const noticeView = z.object({
  id: z.string().check(z.describe('Id of the notice.')),
  at: z.int().check(z.describe('Time of the change, in seconds since 1970-01-01 UTC.')),
  operation: z.enum(['passkeys.create', 'passkeys.delete']).check(z.describe('Kind of change.')),
  title: z.optional(z.string()).check(z.describe('Name of the passkey. Absent: no name.')),
  venue: z.string().check(z.describe('Name of the venue where the person was signed in.')),
})

/** A membership of the person who is signed in. */
export const membershipView = z.object({
  id: z.string().check(z.describe('Id of the member.')),
  role: z.enum(roles).check(z.describe('Role of the member.')),
  merchant: z
    .object({
      id: z.string().check(z.describe('Id of the merchant.')),
      name: z.string().check(z.describe('Name of the venue.')),
    })
    .check(z.describe('The merchant.')),
  suspended: z.boolean().check(z.describe('Whether the merchant is suspended: nobody can sign in to it.')),
  current: z.boolean().check(z.describe('Whether the session of the request is of this membership.')),
})

const relyingParty = z.string().check(z.describe('Host name that passkeys are bound to.'))
const challenge = z
  .string()
  .check(z.describe(`Challenge in base64url. It is accepted once, for ${challengeSeconds / 60} minutes.`))
const timeout = z.int().check(z.describe('Timeout for the person, in milliseconds.'))
const type = z.literal('public-key').check(z.describe('Always `public-key`.'))
const verification = z.literal('required').check(z.describe('Whether the authenticator must verify the person.'))
const described = z.array(
  z.object({
    type,
    id: z.string().check(z.describe('Id of the passkey, in base64url.')),
    transports: z.array(z.string()).check(z.describe('Hints for browsers.')),
  }),
)

/** Options for `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const requestOptionsView = z.object({
  challenge,
  rpId: relyingParty,
  timeout,
  userVerification: verification,
})
/** Options for `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptionsView = z.object({
  challenge,
  timeout,
  rp: z
    .object({ id: relyingParty, name: z.string().check(z.describe('Name of the venue.')) })
    .check(z.describe('The service.')),
  user: z
    .object({
      id: z.string().check(z.describe('User handle in base64url.')),
      name: z.string().check(z.describe('Name of the person and the venue.')),
      displayName: z.string().check(z.describe('Name of the person.')),
    })
    .check(z.describe('The person.')),
  pubKeyCredParams: z
    .array(z.object({ type, alg: z.int().check(z.describe('COSE number of an algorithm.')) }))
    .check(z.describe('Algorithms in the order of preference.')),
  excludeCredentials: described.check(z.describe('Passkeys that the person has.')),
  authenticatorSelection: z
    .object({
      residentKey: z.literal('required').check(z.describe('Whether the passkey is discoverable.')),
      userVerification: verification,
    })
    .check(z.describe('Passkeys are discoverable, and verify the person.')),
  attestation: z.literal('none').check(z.describe('Authenticators are not attested.')),
})
