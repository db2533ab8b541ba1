import { env } from 'cloudflare:workers'
import type { WebhookHarness } from '../support/webhook-harness.ts'

export const failing = () => new Response(null, { status: 500 })
export const states = async (harness: WebhookHarness, id: string) =>
  (await harness.log(id)).map(({ state }: { state: string }) => state)
export const setFailures = (id: string, failures: number, since: number) =>
  env.DB.prepare('update webhooks set failures = ?, failing_since = ? where id = ?').bind(failures, since, id).run()
