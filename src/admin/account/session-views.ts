import * as z from 'zod/mini'
import { defaultScopes, lastUsedPrecisionSeconds } from '../../platform/auth/api-keys.ts'
import type { ConsoleSession } from '../../platform/auth/console-session.ts'
import { roles } from '../../platform/db/schema/directory/users.ts'
import * as field from '../../platform/http/fields.ts'
import { toNoticeView } from './passkeys/notices.ts'
import { noticeView } from './passkeys/passkey-schemas.ts'

export const signInFields = z.strictObject({
  key: field.exactText({ min: 1, max: 128 }).check(z.describe('An API key of the merchant.')),
})
export const signInRules = { schema: signInFields, partial: z.partial(signInFields), readOnly: new Set<string>() }

/** Maximum length of the stored `User-Agent`, in UTF-16 units. */
export const maxUserAgent = 255

/** Who supports a merchant, and why. */
const support = z
  .optional(
    z.object({
      operator: z.string().check(z.describe('Id of the operator.')),
      name: z.string().check(z.describe('Name of the operator.')),
      reason: z.string().check(z.describe('Why the operator opened the venue.')),
    }),
  )
  .check(
    z.describe(
      'The operator of the service who opened the venue for an hour. Absent: the session is of a key or a member.',
    ),
  )

/** A session in lists. */
export const sessionView = z.object({
  id: z.string(),
  key: z.optional(z.string()).check(z.describe('Id of the API key that started the session.')),
  user: z.optional(z.string()).check(z.describe('Id of the member who started the session with a passkey.')),
  support,
  createdAt: z.int(),
  lastUsedAt: z
    .int()
    .check(
      z.describe(
        `Time of the last use, in seconds since 1970-01-01 UTC. Accurate to ${lastUsedPrecisionSeconds / 60} minutes.`,
      ),
    ),
  expiresAt: z
    .int()
    .check(z.describe('Time when the session ends if it is not used, in seconds since 1970-01-01 UTC.')),
  userAgent: z
    .optional(z.string())
    .check(z.describe(`\`User-Agent\` of the sign-in, up to ${maxUserAgent} characters.`)),
  current: z.boolean().check(z.describe('Whether this session sends the request.')),
})
/** The session of the request, with the data of the merchant that each screen of the console shows. */
export const ownSessionView = z.object({
  id: z.string(),
  key: z.optional(z.string()).check(z.describe('Id of the API key that started the session.')),
  user: z
    .optional(
      z.object({
        id: z.string().check(z.describe('Id of the member.')),
        name: z.string().check(z.describe('Name of the member.')),
        role: z.enum(roles).check(z.describe('Role of the member.')),
      }),
    )
    .check(z.describe('The member who signed in with a passkey. Absent: the session is of an API key or of support.')),
  support,
  mode: z
    .enum(['live', 'test'])
    .check(
      z.describe(
        'Mode of the API key. For a member or support, the mode that the request header `Mode` chooses: default `live`.',
      ),
    ),
  scopes: z.array(z.string()).check(z.describe('Operations that the session allows.')),
  expiresAt: z
    .int()
    .check(z.describe('Time when the session ends if it is not used, in seconds since 1970-01-01 UTC.')),
  merchant: z
    .object({
      id: z.string().check(z.describe('Id of the merchant.')),
      name: z.string().check(z.describe('Name of the venue.')),
      timezone: z.string().check(z.describe('IANA name of the time zone.')),
      currency: z.optional(z.string()).check(z.describe('ISO 4217 code of the currency.')),
    })
    .check(z.describe('The merchant.')),
  notices: z
    .optional(z.array(noticeView))
    .check(
      z.describe(
        "Changes of the member's passkeys that were not confirmed with this passkey at this venue, newest first. Absent: no notices.",
      ),
    ),
})

export type StoredNotices = readonly Parameters<typeof toNoticeView>[0][]
/** The session of a request, with the unread notices of its person. */
export const toOwnView = (
  { id, credential, merchant, member, support }: ConsoleSession,
  notices: StoredNotices,
): z.output<typeof ownSessionView> => ({
  id,
  key: member || support ? undefined : credential.id,
  user: member,
  support,
  mode: credential.testMode ? 'test' : 'live',
  scopes: [...(credential.scopes ?? defaultScopes)],
  expiresAt: credential.expiresAt,
  merchant,
  notices: notices.length > 0 ? notices.map(toNoticeView) : undefined,
})
