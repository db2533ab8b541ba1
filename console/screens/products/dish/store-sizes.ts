import { ApiError, type Modifier } from '../../../../packages/client/src/client.ts'
import { api } from '../../../app/api.ts'
import { t } from '../../../app/language.ts'
import { offered } from '../offered-modifiers.ts'
import { listFilled, listSizes, newSize, type SizesForm } from './sizes-form.ts'

interface Stored {
  modifier: Modifier
  /** Ids of the options by the ids in the form, if they differ. */
  renamed: ReadonlyMap<string, string>
  /** Reverts the requests. Undefined if nothing was sent. */
  undo?: () => Promise<unknown>
}
interface WantedSize {
  id: string
  /** Undefined: the person did not change it. */
  label: string | undefined
}
type Option = Modifier['options'][number]

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const toSize = ({ id, label = '' }: Option) => ({ id, label })

/** Creates the modifier of the sizes, or uses another one with the same title and labels. */
async function createSizes(title: string, wanted: readonly WantedSize[], replaced?: string): Promise<Stored> {
  const labels = wanted.map(({ label = '' }) => label.trim())
  const same = offered.value.find(
    (each) =>
      each.id !== replaced &&
      each.type === 'RADIO' &&
      each.title === title &&
      isSame(
        each.options.map(({ label }) => label),
        labels,
      ),
  )
  if (same) {
    const renamed = new Map(wanted.map(({ id }, index) => [id, same.options[index]?.id ?? id] as const))
    return { modifier: same, renamed }
  }
  // Options that somebody else deleted, or that another modifier has, get ids of their own.
  const renamed = new Map(replaced === undefined ? [] : wanted.map(({ id }) => [id, newSize().option] as const))
  const modifier = await api().modifiers.create({
    title,
    instructions: '',
    type: 'RADIO',
    rules: { required: true },
    options: wanted.map(({ id, label = '' }) => ({ id: renamed.get(id) ?? id, label })),
  })
  return { modifier, renamed, undo: () => api().modifiers.delete(modifier.id) }
}

/** The options of a modifier with what the person changed since `known`: labels, new and removed sizes. Changes by others stay. */
function mergeOptions({ options }: Modifier, known: Modifier | undefined, wanted: readonly WantedSize[]): Option[] {
  const labels = new Map(wanted.map(({ id, label }) => [id, label]))
  const removed = new Set(known?.options.flatMap(({ id }) => (labels.has(id) ? [] : [id])))
  const current = new Set(options.map(({ id }) => id))
  return [
    ...options
      .filter(({ id }) => !removed.has(id))
      .map((option) => ({ ...option, label: labels.get(option.id) ?? option.label ?? '' })),
    ...wanted.flatMap(({ id, label }) => (label === undefined || current.has(id) ? [] : [{ id, label }])),
  ]
}

/** Whether other products offer the modifier. */
async function isShared(modifier: string, product: string | undefined) {
  const { items } = await api().products.list({ modifier, limit: 2 }).page()
  return items.some(({ id }) => id !== product)
}

/** The modifier; undefined if somebody else deleted it. */
const findModifier = (id: string) =>
  api()
    .modifiers.retrieve(id)
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    })

/** Stores the labels of a modifier that exists. If other products offer it too, this product gets a modifier of its own. */
async function changeSizes(
  id: string,
  known: Modifier | undefined,
  wanted: readonly WantedSize[],
  product: string | undefined,
): Promise<Stored> {
  const current = await findModifier(id)
  if (!current) {
    const labels = new Map(known?.options.map((option) => [option.id, option.label]))
    const labelled = wanted.map((size) => ({ id: size.id, label: size.label ?? labels.get(size.id) ?? '' }))
    return createSizes(known?.title ?? t().dish.sizeTitle, labelled, id)
  }
  const merged = mergeOptions(current, known, wanted)
  if (isSame(current.options.map(toSize), merged.map(toSize))) return { modifier: current, renamed: new Map() }
  if (await isShared(id, product)) return createSizes(current.title, merged.map(toSize), id)
  return {
    modifier: await api().modifiers.edit(id, (now) => ({ options: mergeOptions(now, known, wanted) })),
    renamed: new Map(),
    undo: () => api().modifiers.update(id, { options: current.options }),
  }
}

/**
 * Stores the modifier of the sizes of a product. Sends nothing if it is stored already. Returns the sizes with its ids: without those that somebody
 * else deleted, and with those that somebody else added, which need a price.
 */
export async function storeSizes(sizes: SizesForm, product: string | undefined) {
  const known = offered.value.find(({ id }) => id === sizes.modifier)
  const rows = listFilled({ ...sizes, rows: listSizes(sizes, known) })
  const wanted = rows.map(({ option, label }) => ({ id: option, label }))
  const { modifier, renamed, undo } = await (sizes.modifier === undefined
    ? createSizes(sizes.title, wanted)
    : changeSizes(sizes.modifier, known, wanted, product))
  offered.value = [...offered.value.filter(({ id }) => id !== modifier.id), modifier]
  const byOption = new Map(rows.map((row) => [renamed.get(row.option) ?? row.option, row]))
  const stored: SizesForm = {
    ...sizes,
    modifier: modifier.id,
    rows: modifier.options.map(({ id: option }) => ({ price: '', ...byOption.get(option), option })),
  }
  return { sizes: stored, undo }
}
