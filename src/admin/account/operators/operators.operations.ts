import type * as z from 'zod'
import { supportSeconds } from '../../../platform/auth/operator/support-sessions.ts'
import { objectDescriptions, withDescriptions } from '../../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import {
  createDeletionResponse,
  createDeletionSchema,
  createListResponse,
  type OperationGroup,
} from '../../../platform/http/openapi/operation.ts'
import { pageQuery } from '../../../platform/http/pagination.ts'
import { exampleOperatorSession, exampleSupportSession } from '../console.operations.ts'
import { invitationSeconds } from '../members/invitation-statements.ts'
import { exampleCreationOptions, exampleRegistration } from '../passkeys/passkeys.operations.ts'
import { invitedOperatorView, operatorBodies, operatorInvitationView, operatorView } from './operator-schemas.ts'
import { maxOperators } from './operator-statements.ts'
import { supportFields } from './support-routes.ts'

const token = 'EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0'
const operator = {
  id: exampleId('opr'),
  role: 'support',
  name: 'Ana Reis',
  email: 'ana@example.com',
  passkeys: 1,
  createdBy: 'operator',
  createdAt: exampleSeconds,
  lastUsedAt: exampleSeconds,
} satisfies z.core.output<typeof operatorView>
const invited = {
  id: operator.id,
  role: 'support',
  name: 'Ana Reis',
  passkeys: 0,
  invitedUntil: exampleSeconds + invitationSeconds,
  createdBy: 'operator',
  createdAt: exampleSeconds,
  url: `https://menu.example.com/console/join/operator#${token}`,
} satisfies z.core.output<typeof invitedOperatorView>
const created = { description: 'The operator, with the link.', schema: ref('OperatorInvited'), example: invited }

const operators = '/admin/operators'
const console = '/console/operator'
const confirmed = 'A session must have used a passkey or the token in the last five minutes.'

export default {
  name: 'Operators',
  description:
    'People who operate the service, with roles. They sign in to the console with a passkey or through Cloudflare Access. `ADMIN_TOKEN` is for the first start and for emergencies.',
  schemas: {
    OperatorPerson: withDescriptions(outputSchema(operatorView), objectDescriptions),
    OperatorInvited: withDescriptions(outputSchema(invitedOperatorView), objectDescriptions),
    OperatorCreate: inputSchema(operatorBodies.create),
    OperatorUpdate: inputSchema(operatorBodies.update),
    OperatorDeleted: createDeletionSchema('Operator deleted', ref('OperatorPerson')),
    SupportCreate: inputSchema(supportFields),
    OperatorInvitationOpen: inputSchema(operatorBodies.token),
    OperatorInvitation: outputSchema(operatorInvitationView),
    OperatorPasskeyCreate: inputSchema(operatorBodies.registration),
  },
  operations: [
    {
      id: 'listOperators',
      method: 'get',
      path: operators,
      summary: 'List the operators',
      access: 'operator',
      query: pageQuery,
      responses: { 200: createListResponse(ref('OperatorPerson'), operator) },
    },
    {
      id: 'createOperator',
      method: 'post',
      path: operators,
      summary: 'Add an operator',
      description: `Returns a link with which the person creates a passkey, once, within ${invitationSeconds / 86_400} days. With \`email\`, Cloudflare Access can sign the person in without one. There are at most ${maxOperators} operators. ${confirmed}`,
      access: 'operator',
      body: ref('OperatorCreate'),
      example: { role: 'support', name: 'Ana Reis' },
      responses: { 201: created },
      problems: ['assertion_required', 'conflict', 'too_many', 'not_supported', 'misconfigured'],
    },
    {
      id: 'retrieveOperator',
      method: 'get',
      path: `${operators}/:operatorId`,
      summary: 'Retrieve an operator',
      access: 'operator',
      responses: { 200: { description: 'The operator.', schema: ref('OperatorPerson'), example: operator } },
      problems: ['not_found'],
    },
    {
      id: 'updateOperator',
      method: 'post',
      path: `${operators}/:operatorId`,
      summary: 'Change the role, the name or the e-mail address of an operator',
      description: `Takes effect with the next request. The last admin who can sign in stays one. ${confirmed}`,
      access: 'operator',
      body: ref('OperatorUpdate'),
      example: { role: 'admin' },
      responses: {
        200: { description: 'The operator.', schema: ref('OperatorPerson'), example: { ...operator, role: 'admin' } },
      },
      problems: ['assertion_required', 'not_found', 'conflict'],
    },
    {
      id: 'inviteOperator',
      method: 'post',
      path: `${operators}/:operatorId/invitation`,
      summary: 'Create a new link for an operator',
      description: `Replaces an open link. When the person uses it, the new passkey replaces the earlier ones and ends their sessions. ${confirmed}`,
      access: 'operator',
      body: { type: 'object', properties: {}, additionalProperties: false },
      example: {},
      responses: { 201: created },
      problems: ['assertion_required', 'not_found', 'not_supported', 'misconfigured'],
    },
    {
      id: 'deleteOperator',
      method: 'delete',
      path: `${operators}/:operatorId`,
      summary: 'Remove an operator',
      description: `Deletes the passkeys of the operator and ends the sessions with the next request. Audit logs keep the name. The last admin who can sign in stays. ${confirmed}`,
      access: 'operator',
      responses: { 200: createDeletionResponse('operator', ref('OperatorDeleted'), operator) },
      problems: ['assertion_required', 'not_found', 'conflict'],
    },
    {
      id: 'createSupportSession',
      method: 'post',
      path: '/admin/merchants/:merchantId/support',
      summary: 'Open the console of a venue for an hour',
      description: `Sets the cookie of a session at the venue, which ends after ${supportSeconds / 60} minutes, with the removal of the operator, or when the venue ends it. The session reads without customers, redemptions, secrets, bearer tokens, exports and events of customers and orders. It changes products, menus and availability if the venue has set \`supportAccess\` to \`write\`. The audit log of the venue has \`support.open\` with the operator and the reason. Requires \`Sec-Fetch-Site: same-origin\` and an operator with a record: \`ADMIN_TOKEN\` and platform keys get \`forbidden\`.`,
      access: 'operator',
      // A stored response would contain the token of the session.
      ignoresIdempotencyKey: true,
      body: ref('SupportCreate'),
      example: { reason: exampleSupportSession.support.reason },
      responses: { 201: { description: 'The session.', schema: ref('OwnSession'), example: exampleSupportSession } },
      problems: ['not_found', 'forbidden', 'merchant_suspended', 'damaged'],
    },
    {
      id: 'openOperatorInvitation',
      method: 'post',
      path: `${console}/invitation`,
      summary: 'Read an invitation of an operator',
      description: 'Does not use the invitation. Returns `not_found` if it was used, was replaced or has expired.',
      access: 'anyone',
      ignoresIdempotencyKey: true,
      body: ref('OperatorInvitationOpen'),
      example: { token },
      responses: {
        200: {
          description: 'The invitation.',
          schema: ref('OperatorInvitation'),
          example: { name: 'Ana Reis', role: 'support', expiresAt: exampleSeconds },
        },
      },
      problems: ['not_found', 'forbidden', 'rate_limited', 'unavailable'],
    },
    {
      id: 'createOperatorPasskeyOptions',
      method: 'post',
      path: `${console}/registration`,
      summary: "Create the options of an operator's passkey",
      access: 'anyone',
      ignoresIdempotencyKey: true,
      body: ref('OperatorInvitationOpen'),
      example: { token },
      responses: {
        200: { description: 'The options.', schema: ref('PasskeyCreationOptions'), example: exampleCreationOptions },
      },
      problems: ['not_found', 'forbidden', 'not_supported', 'rate_limited', 'misconfigured', 'unavailable'],
    },
    {
      id: 'createOperatorPasskey',
      method: 'post',
      path: `${console}/passkeys`,
      summary: 'Register the passkey of an invited operator',
      description: 'Uses the invitation, and sets the cookie of a session.',
      access: 'anyone',
      ignoresIdempotencyKey: true,
      body: ref('OperatorPasskeyCreate'),
      example: { token, credential: exampleRegistration, title: 'Phone' },
      responses: {
        201: { description: 'The session.', schema: ref('OperatorSession'), example: exampleOperatorSession },
      },
      problems: [
        'unauthenticated',
        'forbidden',
        'not_found',
        'conflict',
        'not_supported',
        'rate_limited',
        'misconfigured',
        'unavailable',
      ],
    },
  ],
} satisfies OperationGroup
