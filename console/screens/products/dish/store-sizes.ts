import type { Modifier } from '../../../../packages/client/src/client.ts'
import { api } from '../../../app/api.ts'
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
  label: string
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const toSize = ({ id, label = '' }: Modifier['options'][number]): WantedSize => ({ id, label })

/** Creates the modifier of the sizes, or uses one with the same title and labels. */
async function createSizes(title: string, wanted: readonly WantedSize[]): Promise<Stored> {
  const labels = wanted.map(({ label }) => label.trim())
  const same = offered.value.find(
    (each) =>
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
  const modifier = await api().modifiers.create({
    title,
    instructions: '',
    type: 'RADIO',
    rules: { required: true },
    options: [...wanted],
  })
  return { modifier, renamed: new Map(), undo: () => api().modifiers.delete(modifier.id) }
}

/** Whether other products offer the modifier. */
async function isShared(modifier: string, product: string | undefined) {
  const { items } = await api().products.list({ modifier, limit: 2 }).page()
  return items.some(({ id }) => id !== product)
}

/** Stores the labels of a modifier that exists. If other products offer it too, this product gets a modifier of its own. */
async function changeSizes(id: string, wanted: readonly WantedSize[], product: string | undefined): Promise<Stored> {
  const current = await api().modifiers.retrieve(id)
  if (isSame(current.options.map(toSize), wanted)) return { modifier: current, renamed: new Map() }
  if (await isShared(id, product)) {
    const renamed = new Map(wanted.map(({ id: option }) => [option, newSize().option] as const))
    const own = wanted.map(({ id: option, label }) => ({ id: renamed.get(option) ?? option, label }))
    return { ...(await createSizes(current.title, own)), renamed }
  }
  const change = (sizes: readonly WantedSize[]) =>
    api().modifiers.edit(id, ({ options }) => ({
      options: sizes.map((size) => ({ ...options.find((each) => each.id === size.id), ...size })),
    }))
  return {
    modifier: await change(wanted),
    renamed: new Map(),
    undo: () => api().modifiers.update(id, { options: current.options }),
  }
}

/** Stores the modifier of the sizes of a product. Sends nothing if it is stored already. Returns the sizes with its ids. */
export async function storeSizes(sizes: SizesForm, product: string | undefined) {
  const known = offered.value.find(({ id }) => id === sizes.modifier)
  const rows = listFilled({ ...sizes, rows: listSizes(sizes, known) })
  const wanted = rows.map(({ option, label }) => ({
    id: option,
    label: label ?? known?.options.find(({ id }) => id === option)?.label ?? '',
  }))
  const { modifier, renamed, undo } = await (sizes.modifier === undefined
    ? createSizes(sizes.title, wanted)
    : changeSizes(sizes.modifier, wanted, product))
  offered.value = [...offered.value.filter(({ id }) => id !== modifier.id), modifier]
  const stored: SizesForm = {
    ...sizes,
    modifier: modifier.id,
    rows: rows.map((row) => ({ ...row, option: renamed.get(row.option) ?? row.option })),
  }
  return { sizes: stored, undo }
}
