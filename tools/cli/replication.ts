import * as z from 'zod'

/** Credentials of the platform's API. */
interface CloudflareAccount {
  accountId: string
  token: string
  /** Address of the API; replaced in tests only. */
  api?: string
}

const databases = z.object({
  result: z.array(
    z.object({
      name: z.string(),
      uuid: z.string(),
      read_replication: z.object({ mode: z.string() }).nullish(),
    }),
  ),
})
const timeoutMs = 10_000

/** Explains how to enable read replication manually. */
export const replicationHint = (name: string) =>
  `Read replication of the database ${name} was not checked. It is disabled by default. To enable it, set CLOUDFLARE_API_TOKEN (D1 write) and CLOUDFLARE_ACCOUNT_ID and deploy again, or use the dashboard: D1, ${name}, Settings.`

/**
 * Enables read replication of a D1 database; wrangler has no command for it. Returns a sentence about the result. Throws if the API
 * rejects the request.
 */
async function enableReadReplication(
  name: string,
  { accountId, token, api = 'https://api.cloudflare.com/client/v4' }: CloudflareAccount,
): Promise<string> {
  const address = `${api}/accounts/${accountId}/d1/database`
  const call = async (url: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) })
    if (!response.ok) throw new Error(`the API returned ${response.status}`)
    return response.json()
  }
  const { result } = databases.parse(await call(`${address}?name=${encodeURIComponent(name)}`))
  const database = result.find((found) => found.name === name)
  if (!database) throw new Error(`the account has no database ${name}`)
  if (database.read_replication?.mode === 'auto') return `Read replication of the database ${name} is enabled.`
  await call(`${address}/${database.uuid}`, {
    method: 'PUT',
    body: JSON.stringify({ read_replication: { mode: 'auto' } }),
  })
  return `Read replication of the database ${name} was disabled and is now enabled.`
}

/** Enables read replication with the credentials of the environment; without them, explains how. Never throws. */
export async function reportReadReplication(
  name: string,
  { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: accountId }: NodeJS.ProcessEnv,
  api?: string,
): Promise<string> {
  if (!token || !accountId) return replicationHint(name)
  try {
    return await enableReadReplication(name, { accountId, token, ...(api === undefined ? {} : { api }) })
  } catch (error) {
    return `${replicationHint(name)} (${error instanceof Error ? error.message : String(error)})`
  }
}
