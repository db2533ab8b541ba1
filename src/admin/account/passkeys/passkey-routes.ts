import { Hono } from 'hono'
import { requireSameOrigin } from '../../../platform/auth/sessions.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { jsonBody } from '../../../platform/http/request-body.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import { passkeyBodies as bodies, passkeyRules as rules } from './passkey-schemas.ts'

/** The fields of a body without issues. */
export const fieldsOf = ({ patch, issues }: ParsedBody) => {
  if (issues.length > 0) throw invalid(issues)
  return patch
}

/** Passkeys and invitations in the console. Verification is loaded with the first request that needs it. */
export const passkeyRoutes = new Hono<Env>()
  .post('/options', requireSameOrigin, jsonBody(rules.empty), async (c) => {
    fieldsOf(c.req.valid('json'))
    return (await import('./sign-in.ts')).createRequestOptions(c)
  })
  .post('/session', requireSameOrigin, jsonBody(rules.signIn), async (c) => {
    const body = bodies.signIn.parse(fieldsOf(c.req.valid('json')))
    return (await import('./sign-in.ts')).signIn(c, body)
  })
  .post('/registration', requireSameOrigin, jsonBody(rules.registrationOptions), async (c) => {
    const body = bodies.registrationOptions.parse(fieldsOf(c.req.valid('json')))
    return (await import('./register.ts')).createCreationOptions(c, body)
  })
  .post('/', requireSameOrigin, jsonBody(rules.registration), async (c) => {
    const body = bodies.registration.parse(fieldsOf(c.req.valid('json')))
    return (await import('./register.ts')).register(c, body)
  })
  .post('/assertion', requireSameOrigin, jsonBody(rules.assertion), async (c) => {
    const body = bodies.assertion.parse(fieldsOf(c.req.valid('json')))
    return (await import('./sign-in.ts')).assertPasskey(c, body)
  })
  .get('/', requireSameOrigin, async (c) => (await import('./own-passkeys.ts')).listPasskeys(c))
  .post('/:passkeyId', requireSameOrigin, jsonBody(rules.update), async (c) => {
    const body = bodies.update.parse(fieldsOf(c.req.valid('json')))
    return (await import('./own-passkeys.ts')).renamePasskey(c, c.req.param('passkeyId'), body)
  })
  .delete('/:passkeyId', requireSameOrigin, async (c) =>
    (await import('./own-passkeys.ts')).removePasskey(c, c.req.param('passkeyId')),
  )

/** Notices about the passkeys of the signed-in person. */
export const noticeRoutes = new Hono<Env>().post(
  '/:noticeId/read',
  requireSameOrigin,
  jsonBody(rules.empty),
  async (c) => {
    fieldsOf(c.req.valid('json'))
    return (await import('./notices.ts')).readNotice(c, c.req.param('noticeId'))
  },
)

/** The memberships of the person who is signed in. */
export const membershipRoutes = new Hono<Env>().get('/', requireSameOrigin, async (c) =>
  (await import('./own-passkeys.ts')).listMemberships(c),
)

/** The invitation of a token. Reading it does not use it. */
export const openedInvitationRoutes = new Hono<Env>().post(
  '/',
  requireSameOrigin,
  jsonBody(rules.invitation),
  async (c) => {
    const { token } = bodies.invitation.parse(fieldsOf(c.req.valid('json')))
    const { requireInvitation } = await import('./invitation.ts')
    const { merchantId, venue, name, role, expiresAt } = await requireInvitation(c, token)
    return c.json({ merchant: { id: merchantId, name: venue }, role, ...(name !== null && { name }), expiresAt }, 200)
  },
)
