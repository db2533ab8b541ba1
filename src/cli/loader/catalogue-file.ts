import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { CliError, getReason } from '../cli-error.ts'

/** The lists of a catalogue file in loading order: an object comes before the objects that refer to it. */
export const lists = ['modifiers', 'products', 'menus', 'coupons', 'customers', 'tags', 'webhooks'] as const
export type ListName = (typeof lists)[number]

export type CatalogueRow = Readonly<Record<string, unknown>>

/** Keys that describe the file itself; not loaded. */
const descriptiveKeys: ReadonlySet<string> = new Set(['source', 'merchant', 'derived', 'synthetic', 'unmapped'])

const rows = z.array(z.record(z.string(), z.unknown(), { error: 'is not an object' }), { error: 'is not a list' })
const shape = z.looseObject(
  {
    modifiers: rows.optional(),
    products: rows.optional(),
    menus: rows.optional(),
    coupons: rows.optional(),
    customers: rows.optional(),
    tags: rows.optional(),
    webhooks: rows.optional(),
    merchant: z
      .looseObject({ name: z.string().optional(), currency: z.string().optional(), timezone: z.string().optional() })
      .optional(),
  },
  { error: 'is not an object' },
)

/** A catalogue file: lists of rows with the API's field names, which refer to each other by index. */
export type Catalogue = z.output<typeof shape>

/** Keys of a file that are neither lists nor descriptive keys: possibly typos. */
export const unknownKeys = (catalogue: Catalogue) =>
  Object.keys(catalogue).filter((key) => !lists.some((list) => list === key) && !descriptiveKeys.has(key))

const toPlace = (path: readonly PropertyKey[]) =>
  path.map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth > 0 ? '.' : ''}${String(key)}`)).join('')

/** Reads a catalogue file. Throws `CliError` if it is missing or malformed. */
export async function readCatalogue(file: string): Promise<Catalogue> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new CliError(isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${getReason(error)}.`)
  })
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new CliError(`${file} is not JSON: ${getReason(error)}.`)
  }
  const result = shape.safeParse(json)
  if (!result.success) {
    const [issue] = result.error.issues
    const place = toPlace(issue?.path ?? [])
    throw new CliError(`${file} is not a catalogue file: ${place || 'its content'} ${issue?.message}.`)
  }
  if (!lists.some((list) => list in result.data)) {
    throw new CliError(`${file} is not a catalogue file: it has none of the lists ${lists.join(', ')}.`)
  }
  return result.data
}
