import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { hostile } from '../support/hostile.ts'
import { createStage } from '../support/stage.ts'

afterEach(() => vi.restoreAllMocks())

test('every hostile address is refused when a webhook is made and when it is changed', async () => {
  const stage = await createStage()
  stage.bindings.ALLOW_INSECURE_WEBHOOKS = ''
  const { body: webhook } = await stage.post('/webhooks', { title: 'Till', url: 'https://hooks.venue.com/' })
  const own = ['https://api.test/', 'https://menu.example/']
  const addresses = Object.entries(hostile).flatMap(([kind, urls]) => (kind === 'this service itself' ? own : urls))
  for (const url of addresses) {
    for (const path of ['/webhooks', `/webhooks/${webhook.id}`]) {
      const { status, body } = await stage.post(path, { title: 'Till', url })
      expect([status, body.errors?.map(({ pointer }: { pointer: string }) => pointer)], url).toEqual([422, ['/url']])
    }
  }
  expect((await stage.get('/webhooks')).body).toHaveLength(1)
})

test('a hostile address is not called, though it was saved', async () => {
  const stage = await createStage()
  const { webhook } = await stage.scene()
  const { 'this service itself': _own, ...elsewhere } = hostile
  for (const url of [...Object.values(elsewhere).flat(), 'https://menu.example/'].filter((url) => url !== '')) {
    await env.DB.prepare('update webhooks set url = ?, failures = 0 where id = ?').bind(url, webhook.id).run()
    await env.DB.exec(
      `update deliveries set due_at = 0, leased_until = 0, attempt = 0, attempts = '[]' where state = 'pending'`,
    )
    await stage.sweep()
    stage.bindings.ALLOW_INSECURE_WEBHOOKS = ''
    await stage.deliver()
    const [delivery] = await stage.log(webhook.id)
    expect(delivery.attempts.at(-1)?.error, url).toMatch(/^not called: the address /)
  }
  expect(vi.mocked(fetch)).not.toHaveBeenCalled()
})
