import { createHmac } from 'node:crypto'
import { getReason } from '../errors/usage-error.ts'

/** Time limit of a request to the local program, equal to that of webhooks. */
const timeoutMs = 15_000

/** The headers of Standard Webhooks, like those of the service. */
export function signRequest(secret: string, id: string, body: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'merchant-ordering-cli',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/** The response to a forwarded event, or the reason why it is missing. */
export type ForwardResult = { status: number; ms: number } | { error: string }

/** Sends an event once, as a webhook. Like the service, it does not follow redirects. */
export async function forward(
  target: string,
  secret: string,
  event: { id: string },
  signal: AbortSignal,
): Promise<ForwardResult> {
  const body = JSON.stringify(event)
  const startMs = Date.now()
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: signRequest(secret, event.id, body, startMs),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return { status: response.status, ms: Date.now() - startMs }
  } catch (error) {
    return { error: getReason(error) }
  }
}
