import type { Bindings } from '../../platform/env.ts'
import type { Secrets } from '../secrets.ts'
import { sign } from '../sign.ts'
import { signAsymmetrically } from './asymmetric-keys.ts'
import type { readSignatureSchemes } from './signature-schemes.ts'

/** The keys that sign deliveries of a webhook: its active secrets, and the schemes that use them. */
interface Signer {
  webhookId: string
  secrets: Secrets
  schemes: ReturnType<typeof readSignatureSchemes>
}

const utf8 = new TextEncoder()

/** The `webhook-signature` header of an attempt: a signature for each scheme and each active secret, separated by spaces. */
export async function signDelivery(
  env: Bindings,
  { webhookId, secrets, schemes }: Signer,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Promise<string> {
  const symmetric = () =>
    sign(
      secrets.map(({ secret }) => secret),
      id,
      timestamp,
      body,
    )
  const asymmetric = () => {
    const content = utf8.encode(`${id}.${timestamp}.${body}`)
    return secrets.map(({ generation = 0 }) => signAsymmetrically(env, { webhookId, generation }, content))
  }
  const signatures = schemes.flatMap((scheme) => (scheme === 'v1' ? [symmetric()] : asymmetric()))
  return (await Promise.all(signatures)).join(' ')
}
