import * as z from 'zod'
import { resourcePaths } from '../../src/platform/names.ts'

const object = z.looseObject({ id: z.string() })
/** An object as the API returns it. */
export type Answered = z.output<typeof object>

export interface Account {
  url: string
  merchantId: string
  key: string
}

/** All objects of a list, oldest first. */
export async function readList({ url, merchantId, key }: Account, list: string, query = ''): Promise<Answered[]> {
  const all: Answered[] = []
  let next: string | undefined = `${url}/merchants/${merchantId}/${list}?limit=100&order=asc${query}`
  while (next !== undefined) {
    const response: Response = await fetch(next, { headers: { authorization: `Bearer ${key}` } })
    all.push(...z.array(object).parse(await response.json()))
    const [, link] = /<(.*)>/.exec(response.headers.get('link') ?? '') ?? []
    next = link && new URL(link, url).href
  }
  return all
}

/** Counts the objects of a merchant by resource. */
export async function countAll(account: Account) {
  const count = async (path: string) => [path, (await readList(account, path)).length] as const
  const counts = await Promise.all(resourcePaths.map(count))
  return Object.fromEntries(counts)
}

const created = z.looseObject({ id: z.string(), key: z.string().optional() })

/** Creates a merchant and a key. Default operator token: that of `.dev.vars.example`. */
export async function createMerchant(
  url: string,
  mode: 'live' | 'test' = 'live',
  adminToken = 'dev-admin-token',
): Promise<Account> {
  async function post(path: string, body: object) {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/admin/merchants${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return created.parse(await response.json())
  }
  const { id: merchantId } = await post('', { name: 'Venue', currency: 'EUR' })
  const { key = '' } = await post(`/${merchantId}/keys`, { mode })
  return { url, merchantId, key }
}
