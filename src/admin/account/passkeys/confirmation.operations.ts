import type * as z from 'zod'
import { assertionSeconds } from '../../../platform/auth/assertion.ts'
import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { inputSchema, type JsonSchema, outputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import type { ApiOperation } from '../../../platform/http/openapi/operation.ts'
import { assertionView, passkeyBodies } from './passkey-schemas.ts'

export const confirmationSchemas: Readonly<Record<string, JsonSchema>> = {
  PasskeyAssertion: inputSchema(passkeyBodies.assertion),
  ConfirmedSession: outputSchema(assertionView),
}

/** Operations for confirming a session and for notices. `credential` is the response of a passkey. */
export const createConfirmationOperations = (credential: object): readonly ApiOperation[] => [
  {
    id: 'assertPasskey',
    method: 'post',
    path: '/console/passkeys/assertion',
    summary: 'Confirm the session of a member with a passkey',
    description: `Afterwards the session can add and delete passkeys, create keys and invitations, change roles and remove members, for ${assertionSeconds / 60} minutes. A sign-in with a passkey counts as well. Accepts a passkey of the same person, with the options of a sign-in.`,
    access: 'session',
    ignoresIdempotencyKey: true,
    body: ref('PasskeyAssertion'),
    example: { credential },
    responses: {
      200: {
        description: 'The confirmed session.',
        schema: ref('ConfirmedSession'),
        example: {
          id: exampleId('ses'),
          assertedAt: exampleSeconds,
          expiresAt: exampleSeconds + assertionSeconds,
        } satisfies z.core.output<typeof assertionView>,
      },
    },
    problems: ['not_supported'],
  },
  {
    id: 'readNotice',
    method: 'post',
    path: '/console/notices/:noticeId/read',
    summary: 'Mark a notice as read',
    description:
      'Notices are in the session of the cookie. This notice and older ones are no longer shown at this venue after a sign-in with the same passkey. Other venues and other passkeys show them until they are marked as read there.',
    access: 'session',
    ignoresIdempotencyKey: true,
    body: { type: 'object', properties: {}, additionalProperties: false },
    example: {},
    responses: { 204: { description: 'The notice is read.' } },
    problems: ['not_found'],
  },
]
