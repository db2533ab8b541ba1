import { getOwn } from '../../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { questionCodes } from '../items/file-item.ts'
import { findPreset, readHeading } from '../presets/presets.ts'
import type { DecimalSeparator } from '../values/numbers.ts'
import { findField, mentionsField, normalizeHeading } from './headings.ts'

/** Choices of a client about a file. Everything else is decided by the file. */
export interface Choices {
  columns?: Readonly<Record<string, string | null>> | undefined
  numberFormat?: DecimalSeparator | undefined
  location?: string | undefined
  titleRows?: 'sections' | 'products' | undefined
}

type HowMapped = 'field' | 'synonym' | 'preset' | 'chosen' | 'left_out'

interface PlannedColumn {
  name: string
  /** Field that the column becomes: see `Preset`. Null: left out. */
  to: string | null
  how: HowMapped
  /** Name of the place or the modifier in the heading. */
  named?: string | undefined
}

/** A question that the file leaves open. */
export interface Question {
  code: (typeof questionCodes)[number]
  /** Heading or field that the question is about. */
  column?: string | undefined
  samples: readonly string[]
  choices: readonly string[]
}

export interface TablePlan {
  resource: ResourcePath
  preset?: string | undefined
  hasDecimalPoint: boolean
  columns: readonly PlannedColumn[]
  questions: readonly Question[]
}

/** Fields that columns of each resource can become, in addition to `metadata.NAME`. */
const tableTargets = {
  products: [
    ...([
      'id',
      'externalId',
      'title',
      'price',
      'description',
      'visible',
      'taxable',
      'useCustomTaxRate',
      'taxRate',
    ] as const),
    ...(['calories', 'manageStock', 'stockQuantity', 'upc', 'sku', 'images', 'modifiers'] as const),
    ...([
      'category',
      'size',
      'axis',
      'group',
      'parent',
      'kind',
      'key',
      'code',
      'summary',
      'hidden',
      'modifier',
    ] as const),
  ],
  customers: ['id', 'externalId', 'firstName', 'lastName', 'email', 'phone', 'name'],
  tags: ['id', 'externalId', 'table', 'area'],
} as const satisfies Partial<Readonly<Record<ResourcePath, readonly string[]>>>

type TableResource = keyof typeof tableTargets

/** Fields that columns of a table can become. */
export const listColumnTargets = (resource: ResourcePath): readonly string[] =>
  isTableResource(resource) ? tableTargets[resource] : []

const resourcesOfTables = ['products', 'customers', 'tags'] as const satisfies TableResource[]
/** Whether columns with any headings can become fields of a resource. */
export const isTableResource = (path: string | undefined): path is TableResource =>
  resourcesOfTables.some((resource) => resource === path)

/** Targets that several columns may have. */
const repeatable = new Set([
  'category',
  'size',
  'axis',
  'images',
  'modifier',
  'modifiers',
  'visible',
  'hidden',
  'description',
])
/** Targets of which each place has a column. */
const perPlace = new Set(['price', 'stockQuantity'])

/** The resource whose fields most headings name. */
function guessResource(header: readonly string[]): TableResource {
  const scores = resourcesOfTables.map((resource) => {
    const allowed = new Set<string>(tableTargets[resource])
    const isKnown = (heading: string) =>
      findField(heading, allowed) !== undefined || (allowed.has('name') && isWhole(heading))
    return { resource, score: header.filter(isKnown).length }
  })
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).resource
}

/** The field with exactly this name. */
const findExact = (heading: string, targets: readonly string[]) => {
  const lower = heading.trim().toLowerCase()
  return lower.startsWith('metadata.')
    ? `metadata.${heading.trim().slice('metadata.'.length).trim()}`
    : targets.find((target) => target.toLowerCase() === lower)
}

/** Headings of one column with the whole name of a person. */
const wholeNames = new Set(
  'name,customer,customername,fullname,kunde,kundenname,nom,nombre,nome,naam,nazwa,nombrecompleto'.split(','),
)
const isWhole = (heading: string) => wholeNames.has(normalizeHeading(heading))

function planColumn(heading: string, targets: readonly string[], preset: ReturnType<typeof findPreset>): PlannedColumn {
  const name = heading.trim()
  const known = preset && readHeading(preset, name)
  if (known) return { name, to: known.to, how: known.to === null ? 'left_out' : 'preset', named: known.name }
  const exact = findExact(name, targets)
  if (exact !== undefined) return { name, to: exact, how: 'field' }
  if (targets.includes('name') && isWhole(name)) return { name, to: 'name', how: 'synonym' }
  // A preset knows its own columns: what it does not know is no field.
  const synonym = preset || name === '' ? undefined : findField(name, new Set(targets))
  return synonym === undefined ? { name, to: null, how: 'left_out' } : { name, to: synonym, how: 'synonym' }
}

/** Leaves out columns of other places, or asks for the place. */
function choosePlace(columns: readonly PlannedColumn[], place: string | undefined) {
  const places = new Set(
    columns.flatMap(({ to, named }) => (named !== undefined && to !== null && perPlace.has(to) ? [named] : [])),
  )
  const isSeveral = columns.some(
    (one, index) =>
      one.named !== undefined &&
      one.to !== null &&
      perPlace.has(one.to) &&
      columns.findIndex(({ to, named }) => to === one.to && named !== undefined) < index,
  )
  if (!isSeveral) return { columns, questions: [] }
  const choices = [...places]
  const chosen = place !== undefined && places.has(place) ? place : undefined
  if (chosen === undefined) {
    const question: Question = { code: 'location', samples: choices.slice(0, 3), choices }
    return { columns, questions: [question] }
  }
  const kept = columns.map((column) =>
    column.named !== undefined && places.has(column.named) && column.named !== chosen
      ? { ...column, to: null, how: 'left_out' as const }
      : column,
  )
  return { columns: kept, questions: [] }
}

/** Of several columns with one target, the one with the exact name of the field counts. Otherwise asks. */
function settleRepeated(columns: readonly PlannedColumn[]) {
  const questions: Question[] = []
  const byTarget = Map.groupBy(columns, ({ to }) => to ?? '')
  const leftOut = new Set<PlannedColumn>()
  for (const [to, same] of byTarget) {
    if (to === '' || same.length < 2 || repeatable.has(to) || same.some(({ named }) => named !== undefined)) continue
    const best = same.filter(({ how }) => how === 'chosen')
    const preferred = best.length > 0 ? best : same.filter(({ how }) => how === 'field' || how === 'preset')
    if (preferred.length === 1) for (const each of same) if (each !== preferred[0]) leftOut.add(each)
    if (preferred.length !== 1)
      questions.push({ code: 'column', column: to, samples: [], choices: same.map(({ name }) => name) })
  }
  const settled = columns.map((column) =>
    leftOut.has(column) ? { ...column, to: null, how: 'left_out' as const } : column,
  )
  return { columns: settled, questions }
}

/** Decides what each column becomes. */
export function planTable(header: readonly string[], wanted: ResourcePath | undefined, choices: Choices): TablePlan {
  const preset = wanted === undefined || wanted === 'products' ? findPreset(header) : undefined
  const resource = preset ? 'products' : isTableResource(wanted) ? wanted : guessResource(header)
  const { [resource]: targets } = tableTargets
  const planned = header.map((heading): PlannedColumn => {
    const column = planColumn(heading, targets, preset)
    const chosen = getOwn(choices.columns, column.name)
    return chosen === undefined
      ? column
      : { name: column.name, to: chosen, how: chosen === null ? 'left_out' : 'chosen' }
  })
  const placed = choosePlace(planned, choices.location)
  const settled = settleRepeated(placed.columns)
  const questions = [...placed.questions, ...settled.questions]
  const targetsOf = new Set(settled.columns.map(({ to }) => to))
  const whole = settled.columns.find(({ to }) => to === 'name')
  if (whole && !targetsOf.has('lastName')) {
    questions.push({ code: 'name', column: whole.name, samples: [], choices: ['lastName', 'firstName'] })
  }
  if (resource === 'products' && !targetsOf.has('title')) {
    const rest = settled.columns.flatMap(({ to, name }) =>
      to === null && name !== '' && getOwn(choices.columns, name) === undefined ? [name] : [],
    )
    // A table of keys changes what exists, and needs no title.
    const hasKey = ['id', 'externalId', 'sku', 'upc', 'key', 'code'].some((key) => targetsOf.has(key))
    if (rest.length > 0 || !hasKey) questions.push({ code: 'column', column: 'title', samples: [], choices: rest })
  }
  if (resource === 'products' && !preset && !targetsOf.has('price')) {
    const mentioned = settled.columns.flatMap(({ to, name }) =>
      to === null && getOwn(choices.columns, name) === undefined && mentionsField(name, 'price') ? [name] : [],
    )
    if (mentioned.length > 0) questions.push({ code: 'column', column: 'price', samples: [], choices: mentioned })
  }
  return {
    resource,
    preset: preset?.name,
    hasDecimalPoint: preset?.hasDecimalPoint === true,
    columns: settled.columns,
    questions,
  }
}
