import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import { scopes } from '../../auth/api-keys.ts'
import { CliError } from '../cli-error.ts'
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

/** Reads the demo merchant; undefined if there is none. */
export async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return demoShape.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** Writes the demo merchant. The file contains keys: only its owner may read it. */
export async function writeDemo(file: string, demo: Demo): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
}

/** Whether the database still accepts all keys; false if it was deleted. */
export async function isAlive({ url, merchantId, liveKey, testKey, consoleKey }: Demo): Promise<boolean> {
  const responses = await Promise.all(
    [liveKey, testKey, consoleKey].map((key) =>
      fetch(`${url}/merchants/${merchantId}/products?limit=1`, { headers: { authorization: `Bearer ${key}` } }),
    ),
  )
  return responses.every(({ status }) => status !== 401 && status !== 403)
}

/** Creates the demo merchant and its keys through the operator API. */
export async function createDemo(url: string, adminToken: string, merchant: CatalogueFile['merchant']): Promise<Demo> {
  async function post<Shape extends z.ZodType>(path: string, body: object, shape: Shape): Promise<z.output<Shape>> {
    const response = await fetch(`${url}/admin/merchants${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok)
      throw new CliError(`The demo merchant could not be created. The service returned ${response.status}: ${text}`, 1)
    return shape.parse(JSON.parse(text))
  }
  const { id: merchantId } = await post('', { name: 'Demo', ...merchant }, z.object({ id: z.string() }))
  const createKey = async (body: object) => (await post(`/${merchantId}/keys`, body, z.object({ key: z.string() }))).key
  return {
    url,
    merchantId,
    liveKey: await createKey({ mode: 'live', title: 'Demo' }),
    testKey: await createKey({ mode: 'test', title: 'Demo' }),
    consoleKey: await createKey({ mode: 'live', title: 'Console', scopes }),
    isLoaded: false,
  }
}
