import type * as z from 'zod'
import { objectDescriptions, withDescriptions } from '../../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { inputSchema, type JsonSchema, outputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import {
  type ApiOperation,
  createArrayResponse,
  createDeletionResponse,
  createDeletionSchema,
} from '../../../platform/http/openapi/operation.ts'
import { ceremonyMs } from './ceremony.ts'
import { confirmationSchemas, createConfirmationOperations } from './confirmation.operations.ts'
import {
  creationOptionsView,
  membershipView,
  openedInvitationView,
  passkeyBodies,
  passkeyView,
  requestOptionsView,
} from './passkey-schemas.ts'
import { maxMemberships, maxPasskeys } from './passkey-statements.ts'

const passkeyId = 'EXAMPLE0EXAMPLE0EXAMPLE0'
const token = 'EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0'
const challenge = 'Y2hsX0VYQU1QTEUwRVhBTVBMRTA'
const passkey = {
  id: passkeyId,
  title: 'Phone',
  createdAt: exampleSeconds,
  lastUsedAt: exampleSeconds,
} satisfies z.core.output<typeof passkeyView>
const membership = {
  id: exampleId('usr'),
  role: 'manager',
  merchant: { id: exampleId('mer'), name: 'Three Otters' },
  suspended: false,
  current: true,
} satisfies z.core.output<typeof membershipView>
const requestOptions = {
  challenge,
  rpId: 'menu.example.com',
  timeout: ceremonyMs,
  userVerification: 'required',
} satisfies z.core.output<typeof requestOptionsView>
export const exampleCreationOptions = {
  challenge,
  timeout: ceremonyMs,
  rp: { id: 'menu.example.com', name: 'Three Otters' },
  user: { id: 'RVhBTVBMRTBFWEFNUExF', name: 'Zoë Núñez (Three Otters)', displayName: 'Zoë Núñez' },
  pubKeyCredParams: [
    { type: 'public-key', alg: -8 },
    { type: 'public-key', alg: -7 },
    { type: 'public-key', alg: -257 },
  ],
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  attestation: 'none',
} satisfies z.core.output<typeof creationOptionsView>
export const exampleRegistration = {
  id: passkeyId,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    authenticatorData: 'EXAMPLE0EXAMPLE0',
    publicKey: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
    publicKeyAlgorithm: -7,
    transports: ['internal'],
  },
}
const signed = {
  id: passkeyId,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'EXAMPLE0EXAMPLE0',
    signature: 'MEUCIQD0EXAMPLE0',
  },
}

export const passkeySchemas: Readonly<Record<string, JsonSchema>> = {
  InvitationOpen: inputSchema(passkeyBodies.invitation),
  InvitationOpened: outputSchema(openedInvitationView),
  PasskeyRequestOptions: outputSchema(requestOptionsView),
  PasskeyCreationRequest: inputSchema(passkeyBodies.registrationOptions),
  PasskeyCreationOptions: outputSchema(creationOptionsView),
  PasskeyCreate: inputSchema(passkeyBodies.registration),
  PasskeySignIn: inputSchema(passkeyBodies.signIn),
  ...confirmationSchemas,
  Passkey: withDescriptions(outputSchema(passkeyView), objectDescriptions),
  PasskeyUpdate: inputSchema(passkeyBodies.update),
  PasskeyDeleted: createDeletionSchema('Passkey deleted', ref('Passkey')),
  Membership: outputSchema(membershipView),
}

const collection = '/console/passkeys'
const rejected = ['unauthenticated', 'forbidden', 'merchant_suspended', 'not_supported', 'rate_limited'] as const

/** Operations on passkeys. `session` is the response of a sign-in. */
export const createPasskeyOperations = (session: object): readonly ApiOperation[] => [
  {
    id: 'openInvitation',
    method: 'post',
    path: '/console/invitation',
    summary: 'Read an invitation',
    description: 'Does not use the invitation. Returns `not_found` if it was used, was revoked or has expired.',
    access: 'anyone',
    ignoresIdempotencyKey: true,
    body: ref('InvitationOpen'),
    example: { token },
    responses: {
      200: {
        description: 'The invitation.',
        schema: ref('InvitationOpened'),
        example: {
          merchant: { id: exampleId('mer'), name: 'Three Otters' },
          role: 'manager',
          expiresAt: exampleSeconds,
        },
      },
    },
    problems: ['not_found', 'forbidden', 'merchant_suspended', 'too_many', 'rate_limited', 'unavailable'],
  },
  {
    id: 'createPasskeyRequestOptions',
    method: 'post',
    path: `${collection}/options`,
    summary: 'Create the options of a sign-in with a passkey',
    access: 'anyone',
    ignoresIdempotencyKey: true,
    body: { type: 'object', properties: {}, additionalProperties: false },
    example: {},
    responses: {
      200: { description: 'The options.', schema: ref('PasskeyRequestOptions'), example: requestOptions },
    },
    problems: ['forbidden', 'not_supported', 'misconfigured', 'unavailable'],
  },
  {
    id: 'createPasskeySession',
    method: 'post',
    path: `${collection}/session`,
    summary: 'Sign in with a passkey',
    description:
      'Sets the cookie of a session with the rights of the member. With the token of an invitation, makes the person a member of the inviting merchant.',
    access: 'anyone',
    ignoresIdempotencyKey: true,
    body: ref('PasskeySignIn'),
    example: { credential: signed },
    responses: { 201: { description: 'The session.', schema: ref('OwnSession'), example: session } },
    problems: [...rejected, 'not_found', 'conflict', 'too_many', 'misconfigured', 'unavailable'],
  },
  {
    id: 'createPasskeyCreationOptions',
    method: 'post',
    path: `${collection}/registration`,
    summary: 'Create the options of a new passkey',
    description: 'With `token` and `name` for an invited person, otherwise for the member who is signed in.',
    access: 'anyone',
    ignoresIdempotencyKey: true,
    body: ref('PasskeyCreationRequest'),
    example: { token, name: 'Zoë Núñez' },
    responses: {
      200: { description: 'The options.', schema: ref('PasskeyCreationOptions'), example: exampleCreationOptions },
    },
    problems: [...rejected, 'assertion_required', 'not_found', 'too_many', 'misconfigured', 'unavailable'],
  },
  {
    id: 'createPasskey',
    method: 'post',
    path: collection,
    summary: 'Register a passkey',
    description: `With \`token\`, uses the invitation, makes the person a member and sets the cookie of a session. Without it, adds a passkey to the member who is signed in, up to ${maxPasskeys}.`,
    access: 'anyone',
    ignoresIdempotencyKey: true,
    body: ref('PasskeyCreate'),
    example: { token, name: 'Zoë Núñez', credential: exampleRegistration },
    responses: {
      201: {
        description: 'The session of the new member, or the new passkey.',
        schema: { anyOf: [ref('OwnSession'), ref('Passkey')] },
        example: session,
      },
    },
    problems: [...rejected, 'assertion_required', 'not_found', 'conflict', 'too_many', 'misconfigured', 'unavailable'],
  },
  ...createConfirmationOperations(signed),
  {
    id: 'listPasskeys',
    method: 'get',
    path: collection,
    summary: 'List the passkeys of the member who is signed in',
    description: `At most ${maxPasskeys}, newest first.`,
    access: 'session',
    responses: {
      200: createArrayResponse('The passkeys.', ref('Passkey'), [passkey]),
    },
  },
  {
    id: 'updatePasskey',
    method: 'post',
    path: `${collection}/:passkeyId`,
    summary: 'Name a passkey of the member who is signed in',
    access: 'session',
    ignoresIdempotencyKey: true,
    body: ref('PasskeyUpdate'),
    example: { title: 'Phone' },
    responses: { 200: { description: 'The passkey.', schema: ref('Passkey'), example: passkey } },
    problems: ['not_found'],
  },
  {
    id: 'deletePasskey',
    method: 'delete',
    path: `${collection}/:passkeyId`,
    summary: 'Delete a passkey of the member who is signed in',
    description: "The last passkey cannot be deleted. The person's other sessions end.",
    access: 'session',
    responses: { 200: createDeletionResponse('passkey', ref('PasskeyDeleted'), passkey) },
    problems: ['assertion_required', 'not_found', 'conflict'],
  },
  {
    id: 'listMemberships',
    method: 'get',
    path: '/console/memberships',
    summary: 'List the venues of the person who is signed in',
    description: `Returns at most ${maxMemberships} venues, most recently used first. Sign in with the passkey and \`merchant\` to open another one.`,
    access: 'session',
    responses: {
      200: createArrayResponse('The memberships.', ref('Membership'), [membership]),
    },
  },
]
