import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { resources } from '../../../src/catalogue/resources/registry.ts'
import { type ResourcePath, resourcePaths } from '../../../src/platform/names.ts'
import { CliError, getReason } from '../cli-error.ts'

/** A list of a catalogue file: the path of a resource. */
export type ListName = ResourcePath

/** The lists that a list refers to. */
export function getReferencedLists(list: ListName): ListName[] {
  const { [list]: resource } = resources
  return resource.references.flatMap(({ target }) =>
    resourcePaths.filter((path) => {
      const { [path]: other } = resources
      return other.table === target
    }),
  )
}

/** The lists in the order they are loaded: each after those it refers to. */
export const lists: readonly ListName[] = (function sort(unsorted: readonly ListName[]): ListName[] {
  return [...new Set(unsorted.flatMap((list) => [...sort(getReferencedLists(list)), list]))]
})(resourcePaths)

export type CatalogueRow = Readonly<Record<string, unknown>>

/** Keys that describe the file itself; not loaded. */
const descriptiveKeys: ReadonlySet<string> = new Set(['source', 'merchant', 'derived', 'synthetic', 'unmapped'])

const rows = z.array(z.record(z.string(), z.unknown(), { error: 'is not an object' }), { error: 'is not a list' })
const merchant = z.looseObject({
  name: z.string().optional(),
  currency: z.string().optional(),
  timezone: z.string().optional(),
})
const shape = z.looseObject(
  { ...Object.fromEntries(lists.map((list) => [list, rows.optional()])), merchant: merchant.optional() },
  { error: 'is not an object' },
)

/** A catalogue file: lists of rows with the API's field names. Rows refer to each other by index. */
export interface CatalogueFile extends Readonly<Partial<Record<ListName, readonly CatalogueRow[]>>> {
  readonly merchant?: z.output<typeof merchant> | undefined
}

/** Keys of a file that are neither lists nor descriptive keys: possibly typos. */
export const unknownKeys = (catalogue: CatalogueFile) =>
  Object.keys(catalogue).filter((key) => !lists.some((list) => list === key) && !descriptiveKeys.has(key))

const toPlace = (path: readonly PropertyKey[]) =>
  path.map((key, depth) => (typeof key === 'number' ? `[${key}]` : `${depth > 0 ? '.' : ''}${String(key)}`)).join('')

/** Reads a catalogue file. Throws `CliError` if it is missing or malformed. */
export async function readCatalogueFile(file: string): Promise<CatalogueFile> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new CliError(isMissing ? `The file ${file} does not exist.` : `${file} cannot be read: ${getReason(error)}.`)
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
    throw new CliError(
      `${file} is not a catalogue file: it must contain at least one of the lists ${lists.join(', ')}.`,
    )
  }
  return result.data
}
