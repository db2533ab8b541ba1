import { expect, test } from 'vitest'
import { adminToken, call } from '../../../support/api.ts'
import { createAuthenticator } from '../../../support/authenticator.ts'
import { createOperator, inviteOperator, joinOperators } from '../../../support/operators.ts'

test.each([
  ['removal', 'DELETE', undefined],
  ['demotion', 'POST', { role: 'support' }],
])('the %s of an admin revokes the open invitations of operators', async (_, method, body) => {
  const [ana] = [await createOperator('admin', 'Ana'), await createOperator('admin', 'Bo')]
  const { body: made } = await ana.send('POST', '/admin/operators', { role: 'admin', name: 'Accomplice' })
  const token = new URL(made.url).hash.slice(1)
  expect((await call(method, `/admin/operators/${ana.id}`, adminToken, body)).status).toBe(200)
  expect((await joinOperators(token, await createAuthenticator())).status).toBe(404)
})

test('the removal of an operator of the role support revokes none', async () => {
  await createOperator('admin', 'Bo')
  const [cy, { token }] = [await createOperator('support', 'Cy'), await inviteOperator({ role: 'support', name: 'Di' })]
  expect((await call('DELETE', `/admin/operators/${cy.id}`, adminToken)).status).toBe(200)
  expect((await joinOperators(token, await createAuthenticator())).status).toBe(201)
})
