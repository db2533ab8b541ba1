const utf8 = new TextEncoder()

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** Returns the `webhook-signature` header of Standard Webhooks: one `v1` signature for each secret, separated by spaces. */
export async function sign(secrets: readonly string[], id: string, timestamp: number, body: string): Promise<string> {
  const content = utf8.encode(`${id}.${timestamp}.${body}`)
  const signatures = secrets.map(async (secret) => {
    const bytes = fromBase64(secret.replace(/^whsec_/, ''))
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
    return `v1,${btoa(String.fromCharCode(...signature))}`
  })
  return (await Promise.all(signatures)).join(' ')
}
