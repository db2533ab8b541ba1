import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import { CliError } from './cli-error.ts'
import type { Catalogue } from './loader/catalogue-file.ts'

/** The project's own folder. */
export const projectFolder = resolve(import.meta.dirname, '../..')

const demo = z.object({
  url: z.string(),
  merchantId: z.string(),
  liveKey: z.string(),
  testKey: z.string(),
  /** The whole catalogue of the demo venue has been loaded into it. */
  isLoaded: z.boolean(),
})
/** The merchant that `npm run dev` makes on its first start, and the keys to it. */
export type Demo = z.output<typeof demo>

/** Where the demo merchant of a local database is kept: beside the database. */
export const demoFile = (stateFolder = '.wrangler') => resolve(projectFolder, stateFolder, 'demo.json')

/** The demo merchant; undefined where none was made yet. */
export async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return demo.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** Keeps the demo merchant. The file holds keys, so nobody but its owner may read it. */
export async function writeDemo(file: string, kept: Demo): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
}

/** Both keys still open the merchant; they do not once the database was removed. */
export async function isAlive({ url, merchantId, liveKey, testKey }: Demo): Promise<boolean> {
  const answers = await Promise.all(
    [liveKey, testKey].map((key) =>
      fetch(`${url}/merchants/${merchantId}/products?limit=1`, { headers: { authorization: `Bearer ${key}` } }),
    ),
  )
  return answers.every(({ status }) => status !== 401 && status !== 403)
}

/** Makes a merchant and its two keys, as an operator does. */
export async function createDemo(url: string, adminToken: string, merchant: Catalogue['merchant']): Promise<Demo> {
  async function post<Shape extends z.ZodType>(path: string, body: object, shape: Shape): Promise<z.output<Shape>> {
    const response = await fetch(`${url}/admin/merchants${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new CliError(`The demo merchant cannot be made: ${response.status} ${text}`, 1)
    return shape.parse(JSON.parse(text))
  }
  const { id: merchantId } = await post('', { name: 'Demo', ...merchant }, z.object({ id: z.string() }))
  const createKey = async (mode: 'live' | 'test') =>
    (await post(`/${merchantId}/keys`, { mode, title: 'Demo' }, z.object({ key: z.string() }))).key
  return { url, merchantId, liveKey: await createKey('live'), testKey: await createKey('test'), isLoaded: false }
}
