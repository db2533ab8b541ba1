import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import { CliError, getReason } from '../cli-error.ts'
import type { CatalogueFile } from '../loader/catalogue-file.ts'
import { projectFolder } from '../project-folder.ts'

const demoShape = z.object({
  url: z.string(),
  merchantId: z.string(),
  liveKey: z.string(),
  testKey: z.string(),
  /** A live key with all scopes, for the link to the console. */
  consoleKey: z.string(),
  /** Whether the whole demo catalogue is loaded. */
  isLoaded: z.boolean(),
})
/** The merchant that `npm run dev` creates on its first start, and its keys. */
export type Demo = z.output<typeof demoShape>

/** The file of the demo merchant, beside the local database. */
export const demoFile = (stateFolder = '.wrangler') => resolve(projectFolder, stateFolder, 'demo.json')

/** Schema for files of any release: unknown fields stay. */
const storedShape = z.looseObject({ ...demoShape.partial().shape, merchantId: z.string() })
/** The demo merchant as it was stored, by this release or another one. */
export type StoredDemo = z.output<typeof storedShape>

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code

/** Reads the stored demo merchant; undefined if it does not exist. Throws if the file cannot be read, because it may contain keys. */
export async function readStoredDemo(file: string): Promise<StoredDemo | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw new CliError(`${file} cannot be read: ${getReason(error)}`, 1)
  }
  try {
    return storedShape.parse(JSON.parse(text))
  } catch {
    throw new CliError(`${file} does not describe a demo merchant. Correct it, or move it away to get a new one.`, 1)
  }
}

/** Writes the demo merchant. The file contains keys: only its owner may read it. A write that fails leaves the file as it was. */
export async function writeDemo(file: string, demo: Demo): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const part = `${file}.part`
  await writeFile(part, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  await rename(part, file)
}

/** The keys of the demo merchant, and how the operator API creates each. */
const keyBodies = {
  liveKey: { mode: 'live', title: 'Demo' },
  testKey: { mode: 'test', title: 'Demo' },
  consoleKey: { mode: 'live', title: 'Console', scopes },
} as const

/** The operator API of the service at an address. */
function createOperator(url: string, adminToken: string) {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  async function post<Shape extends z.ZodType>(path: string, body: object, shape: Shape): Promise<z.output<Shape>> {
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/admin/merchants${path}`, request)
    const text = await response.text()
    if (!response.ok)
      throw new CliError(`The demo merchant could not be created. The service returned ${response.status}: ${text}`, 1)
    return shape.parse(JSON.parse(text))
  }
  return {
    createMerchant: async (merchant: object) => (await post('', merchant, z.object({ id: z.string() }))).id,
    createKey: async (merchantId: string, body: object) =>
      (await post(`/${encodeURIComponent(merchantId)}/keys`, body, z.object({ key: z.string() }))).key,
    /** Whether the database has the merchant, and serves it. */
    async isServed(merchantId: string): Promise<boolean> {
      const response = await fetch(`${url}/admin/merchants/${encodeURIComponent(merchantId)}`, { headers })
      const { data } = z.object({ status: z.string() }).safeParse(await response.json().catch(() => undefined))
      if (response.ok || response.status === 404) return data?.status === 'active'
      throw new CliError(`The demo merchant could not be read. The service returned ${response.status}.`, 1)
    },
    async isAccepted(merchantId: string, key: string): Promise<boolean> {
      const merchant = `${url}/merchants/${encodeURIComponent(merchantId)}`
      const response = await fetch(`${merchant}/products?limit=1`, { headers: { authorization: `Bearer ${key}` } })
      await response.body?.cancel()
      return ![401, 403, 404].includes(response.status)
    },
  }
}

/**
 * Opens the demo merchant of the service: the stored one, with missing keys added, or a new one if it does not exist or its database was deleted.
 * `report` gets a sentence about values that were created in addition to stored ones.
 */
export async function openDemoMerchant(
  url: string,
  adminToken: string,
  stored: StoredDemo | undefined,
  merchant: CatalogueFile['merchant'],
  report: (text: string) => void,
): Promise<Demo> {
  const operator = createOperator(url, adminToken)
  const isKept = stored !== undefined && (await operator.isServed(stored.merchantId))
  if (stored && !isKept) report(`The database does not serve the merchant ${stored.merchantId}. Creating another one.`)
  const merchantId = isKept ? stored.merchantId : await operator.createMerchant({ name: 'Demo', ...merchant })
  const known = isKept ? stored : undefined
  async function openKey(name: keyof typeof keyBodies): Promise<string> {
    const key = known?.[name]
    if (key !== undefined && (await operator.isAccepted(merchantId, key))) return key
    if (known) report(`The demo merchant has no valid ${name}. Creating one.`)
    return operator.createKey(merchantId, keyBodies[name])
  }
  return {
    ...known,
    url,
    merchantId,
    liveKey: await openKey('liveKey'),
    testKey: await openKey('testKey'),
    consoleKey: await openKey('consoleKey'),
    isLoaded: known?.isLoaded ?? false,
  }
}
