import { expect, test } from 'vitest'
import { idempotent } from '../../src/platform/http/idempotency.ts'
import { routes } from '../support/routes.ts'

/** POST operations without an Idempotency-Key, each with the reason. */
const exempt: Readonly<Record<string, string>> = {
  '/admin/webhooks/:webhookId/recover': 'a second request finds the deliveries pending',
  '/admin/merchants/:merchantId/support': 'its response has the token of a session',
  '/console/session': 'its response has the token of a session',
  '/console/operator': 'its response has the token of a session',
  '/console/operator/invitation': 'stores nothing',
  '/console/operator/registration': 'stores nothing',
  '/console/operator/passkeys': 'its response has the token of a session',
  '/console/passkeys/options': 'stores nothing',
  '/console/passkeys/assertion': 'a challenge is accepted once',
  '/console/notices/:noticeId/read': 'a second request changes nothing',
  '/console/passkeys/session': 'its response has the token of a session',
  '/console/passkeys/registration': 'stores nothing',
  '/console/passkeys': 'its response has the token of a session',
  '/console/passkeys/:passkeyId': 'a second request changes nothing',
  '/console/invitation': 'stores nothing',
  '/m/:merchantId/requests': 'the same call of a table is open once',
  '/merchants/:merchantId/quotes': 'stores nothing',
  '/merchants/:merchantId/preview': 'stores nothing',
  '/merchants/:merchantId/releases/:id/check': 'stores nothing',
  '/merchants/:merchantId/releases/:id/preview-link': 'stores nothing',
  '/merchants/:merchantId/tags/sheet-link': 'stores nothing',
}

test('every POST operation handles an Idempotency-Key directly before its handler', () => {
  const posts = routes.filter(({ method }) => method === 'POST')
  const operations = [...Map.groupBy(posts, ({ path }) => path)]
  expect(operations.length).toBeGreaterThan(20)
  const without = operations.filter(([, handlers]) => handlers.at(-2)?.handler !== idempotent)
  expect(without.map(([path]) => path).sort()).toEqual(Object.keys(exempt).sort())
})
