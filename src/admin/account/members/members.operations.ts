import type * as z from 'zod'
import { objectDescriptions, withDescriptions } from '../../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import {
  type ApiOperation,
  createDeletionResponse,
  createDeletionSchema,
  createListResponse,
  type OperationGroup,
} from '../../../platform/http/openapi/operation.ts'
import { pageQuery } from '../../../platform/http/pagination.ts'
import { maxInvitations, maxMembers } from './invitation-statements.ts'
import { createdInvitationView, invitationView, memberView, peopleSchemas } from './people-schemas.ts'

const member = {
  id: exampleId('usr'),
  name: 'Zoë Núñez',
  role: 'manager',
  passkeys: 2,
  createdAt: exampleSeconds,
  lastUsedAt: exampleSeconds,
} satisfies z.core.output<typeof memberView>
const invitation = {
  id: exampleId('inv'),
  role: 'manager',
  createdBy: exampleId('usr'),
  createdAt: exampleSeconds,
  expiresAt: exampleSeconds + 1_209_600,
} satisfies z.core.output<typeof invitationView>
const created = {
  ...invitation,
  url: 'https://menu.example.com/console/join#EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0',
} satisfies z.core.output<typeof createdInvitationView>

const members = '/merchants/:merchantId/members'

/** Operations on invitations: for the operator, who invites the first owner, and for the merchant. */
function createInvitationOperations(access: 'operator' | 'key'): readonly ApiOperation[] {
  const isOwn = access === 'key'
  const collection = `${isOwn ? '' : '/admin'}/merchants/:merchantId/invitations`
  const name = (id: string) => (isOwn ? id.replace('Invitation', 'OwnInvitation') : id)
  const granted = (verb: 'read' | 'write') => (isOwn ? { access, scope: `members:${verb}` } : { access })
  return [
    {
      id: name('listInvitations'),
      method: 'get',
      path: collection,
      summary: 'List the open invitations of a merchant',
      ...granted('read'),
      query: pageQuery,
      responses: { 200: createListResponse(ref('Invitation'), invitation) },
    },
    {
      id: name('createInvitation'),
      method: 'post',
      path: collection,
      summary: 'Invite a person',
      description: `Returns a link that can be used once. The invited person opens it and creates a passkey, or signs in with an existing one. A person cannot invite others to a role with more rights than their own. A merchant has at most ${maxInvitations} open invitations and ${maxMembers} members.`,
      ...granted('write'),
      body: ref('InvitationCreate'),
      example: { role: 'manager' },
      responses: { 201: { description: 'The invitation.', schema: ref('InvitationCreated'), example: created } },
      problems: ['assertion_required', 'too_many', 'not_supported', 'misconfigured'],
    },
    {
      id: name('deleteInvitation'),
      method: 'delete',
      path: `${collection}/:invitationId`,
      summary: 'Revoke an invitation',
      ...granted('write'),
      responses: { 200: createDeletionResponse('invitation', ref('InvitationDeleted'), invitation) },
      problems: isOwn ? ['not_found'] : [],
    },
  ]
}

export default {
  name: 'Members',
  description:
    'People who sign in to the console with a passkey. A role grants scopes. A key has the scopes `members:…` only if its `scopes` name them.',
  schemas: {
    Member: withDescriptions(outputSchema(memberView), objectDescriptions),
    MemberUpdate: inputSchema(peopleSchemas.memberUpdate),
    MemberDeleted: createDeletionSchema('Member deleted', ref('Member')),
    Invitation: withDescriptions(outputSchema(invitationView), objectDescriptions),
    InvitationCreate: inputSchema(peopleSchemas.invitationCreate),
    InvitationCreated: withDescriptions(outputSchema(createdInvitationView), objectDescriptions),
    InvitationDeleted: createDeletionSchema('Invitation deleted', ref('Invitation')),
  },
  operations: [
    {
      id: 'listMembers',
      method: 'get',
      path: members,
      summary: 'List the members of a merchant',
      access: 'key',
      scope: 'members:read',
      query: pageQuery,
      responses: { 200: createListResponse(ref('Member'), member) },
    },
    {
      id: 'retrieveMember',
      method: 'get',
      path: `${members}/:memberId`,
      summary: 'Retrieve a member',
      access: 'key',
      scope: 'members:read',
      responses: { 200: { description: 'The member.', schema: ref('Member'), example: member } },
      problems: ['not_found'],
    },
    {
      id: 'updateMember',
      method: 'post',
      path: `${members}/:memberId`,
      summary: 'Change the role or the name of a member',
      description:
        'Takes effect within 60 seconds. The last owner must stay an owner. A person cannot change or grant a role with more rights than their own.',
      access: 'key',
      scope: 'members:write',
      body: ref('MemberUpdate'),
      example: { role: 'owner' },
      responses: { 200: { description: 'The member.', schema: ref('Member'), example: { ...member, role: 'owner' } } },
      problems: ['assertion_required', 'not_found', 'conflict'],
    },
    {
      id: 'deleteMember',
      method: 'delete',
      path: `${members}/:memberId`,
      summary: 'Remove a member',
      description:
        'Ends the sessions of the member within 60 seconds, and revokes the invitations that the member created. The last owner cannot be removed.',
      access: 'key',
      scope: 'members:write',
      responses: { 200: createDeletionResponse('member', ref('MemberDeleted'), member) },
      problems: ['assertion_required', 'not_found', 'conflict'],
    },
    ...createInvitationOperations('key'),
    ...createInvitationOperations('operator'),
  ],
} satisfies OperationGroup
