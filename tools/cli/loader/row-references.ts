import { changeReferences, type DetailReference } from '../../../src/catalogue/resource/details/detail-references.ts'
import { resources } from '../../../src/catalogue/resources/registry.ts'
import { isObject } from '../../../src/platform/lib/schema-guard.ts'
import { type CatalogueRow, getReferencedLists, type ListName, lists } from './catalogue-file.ts'

/** A row that another one names by its index. */
export interface RowTarget {
  list: ListName
  index: number
}

/** Replaces a reference by index. Undefined leaves the reference out. */
type Replace = (target: RowTarget, pointer: string) => string | undefined

/** Places in the details of each list that name rows. */
const detailReferences = new Map<ListName, readonly DetailReference[]>(
  await Promise.all(
    lists.map(async (list) => {
      const { [list]: resource } = resources
      const details = await resource.details?.load()
      return [list, details && 'references' in details ? details.references : []] as const
    }),
  ),
)

/** Replaces every element of the lists at a path. Values of another form stay: the service validates them. */
function replaceAt(
  value: unknown,
  path: readonly string[],
  pointer: string,
  replace: (element: unknown, pointer: string) => readonly unknown[],
): unknown {
  const [step, ...rest] = path
  if (step === undefined || step === '*') {
    if (!Array.isArray(value)) return value
    return step === undefined
      ? value.flatMap((element: unknown, index) => replace(element, `${pointer}/${index}`))
      : value.map((element: unknown, index) => replaceAt(element, rest, `${pointer}/${index}`, replace))
  }
  return isObject(value) && step in value
    ? { ...value, [step]: replaceAt(value[step], rest, `${pointer}/${step}`, replace) }
    : value
}

/** A row with its references by index replaced, those of its details too. */
export function replaceIndexes(list: ListName, source: CatalogueRow, replace: Replace): CatalogueRow {
  const { [list]: resource } = resources
  const [target = list] = getReferencedLists(list)
  const replaced = resource.references.reduce(
    (body: unknown, { path }) =>
      replaceAt(body, path, '', (element, pointer) => {
        const key = typeof element === 'number' ? replace({ list: target, index: element }, pointer) : element
        return key === undefined ? [] : [key]
      }),
    source,
  )
  const row = isObject(replaced) ? replaced : source
  if (!isObject(row['details'])) return row
  const details = changeReferences(row['details'], detailReferences.get(list) ?? [], (reference, pointer, target) =>
    typeof reference === 'number' ? replace({ list: target, index: reference }, `/details${pointer}`) : reference,
  )
  return { ...row, details }
}
