import { getOwn } from '../../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { amountReadings, questionCodes, soldByReadings, taxRateReadings } from '../items/file-item.ts'
import { findPreset, readHeading } from '../presets/presets.ts'
import type { DateFormat } from '../values/dates.ts'
import type { DecimalSeparator } from '../values/numbers.ts'
import { takeLanguages } from './columns/languages.ts'
import { takeSizeColumns } from './columns/size-columns.ts'
import { withoutCents } from './columns/size-words.ts'
import { findCouponField, provesCoupons, readSign } from './coupons/coupon-headings.ts'
import { findField, mentionsField } from './headings.ts'
import { normalizeHeading } from './normalize-heading.ts'
import {
  type DiscountType,
  findExactTarget,
  isSizePrice,
  isTableResource,
  type PlannedColumn,
  repeatable,
  type TableResource,
  tableTargets,
} from './targets.ts'

/** Choices of a client about a file. Everything else is decided by the file. */
export interface Choices {
  columns?: Readonly<Record<string, string | null>> | undefined
  numberFormat?: DecimalSeparator | undefined
  location?: string | undefined
  titleRows?: 'sections' | 'products' | undefined
  dateFormat?: DateFormat | undefined
  discountType?: DiscountType | undefined
  taxRates?: (typeof taxRateReadings)[number] | undefined
  soldBy?: (typeof soldByReadings)[number] | undefined
  amounts?: (typeof amountReadings)[number] | undefined
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

/** Targets of which each place has a column. */
const perPlace = new Set(['price', 'stockQuantity'])

/** The field that a heading names among those of a resource. */
const findFieldOf = (resource: TableResource, heading: string) =>
  (resource === 'coupons' ? findCouponField(heading) : undefined) ??
  findField(resource === 'products' ? withoutCents(heading) : heading, new Set<string>(tableTargets[resource]))

/** The resource whose fields most headings name. A table has coupons only if a heading says so, or all are names of their fields. */
function guessResource(header: readonly string[]): TableResource {
  const named = header.filter((heading) => heading.trim() !== '')
  const isOwn = named.length > 1 && named.every((heading) => findExactTarget(heading, 'coupons') !== undefined)
  const mayBeCoupons = isOwn || named.some(provesCoupons)
  const scores = (['products', 'customers', 'tags', 'coupons'] as const).map((resource) => {
    const allowed = new Set<string>(tableTargets[resource])
    const isKnown = (heading: string) =>
      findFieldOf(resource, heading) !== undefined ||
      (allowed.has('name') && isWhole(heading)) ||
      (resource === 'coupons' && findExactTarget(heading, 'coupons') !== undefined)
    const isOut = resource === 'coupons' && !mayBeCoupons
    return { resource, score: isOut ? -1 : named.filter(isKnown).length }
  })
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).resource
}

/** Headings of one column with the whole name of a person. */
const wholeNames = new Set(
  'name,customer,customername,fullname,kunde,kundenname,nom,nombre,nome,naam,nazwa,nombrecompleto'.split(','),
)
const isWhole = (heading: string) => wholeNames.has(normalizeHeading(heading))

function planColumn(heading: string, resource: TableResource, preset: ReturnType<typeof findPreset>): PlannedColumn {
  const targets: readonly string[] = tableTargets[resource]
  const name = heading.trim()
  const known = preset && readHeading(preset, name)
  if (known) return { name, to: known.to, how: known.to === null ? 'left_out' : 'preset', named: known.name }
  const exact = findExactTarget(name, resource)
  if (exact !== undefined) return { name, to: exact, how: 'field' }
  if (targets.includes('name') && isWhole(name)) return { name, to: 'name', how: 'synonym' }
  // A preset knows its own columns: what it does not know is no field.
  const synonym = preset || name === '' ? undefined : findFieldOf(resource, name)
  if (synonym === undefined) return { name, to: null, how: 'left_out' }
  return { name, to: resource === 'coupons' ? readSign(name, synonym) : synonym, how: 'synonym' }
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

/** Questions about a table of coupons without a code or a discount. One of keys changes what exists, and needs neither. */
function askCoupons(columns: readonly PlannedColumn[], rest: readonly string[]): Question[] {
  const has = (...targets: readonly string[]) => columns.some(({ to }) => to !== null && targets.includes(to))
  if (has('id', 'externalId')) return []
  const titles = columns.flatMap(({ to, name }) => (to === 'title' ? [name] : []))
  if (!has('code')) return [{ code: 'column', column: 'code', samples: [], choices: [...titles, ...rest] }]
  const isOpen = !has('value', 'percent', 'amount') && rest.length > 0
  return isOpen ? [{ code: 'column', column: 'value', samples: [], choices: rest }] : []
}

/** Decides what each column becomes. `language` is that of the venue. */
export function planTable(
  header: readonly string[],
  wanted: ResourcePath | undefined,
  choices: Choices,
  language?: string,
): TablePlan {
  const preset = findPreset(header, wanted)
  const resource = preset?.resource ?? (isTableResource(wanted) ? wanted : guessResource(header))
  const planned = header.map((heading): PlannedColumn => {
    const column = planColumn(heading, resource, preset)
    const chosen = getOwn(choices.columns, column.name)
    return chosen === undefined
      ? column
      : { name: column.name, to: chosen, how: chosen === null ? 'left_out' : 'chosen' }
  })
  const isOpen = resource === 'products' && preset === undefined
  const { columns: spoken, open } = isOpen ? takeLanguages(planned, language) : { columns: planned, open: [] }
  const placed = choosePlace(isOpen ? takeSizeColumns(spoken) : spoken, choices.location)
  const settled = settleRepeated(placed.columns)
  const questions = [...placed.questions, ...settled.questions]
  const targetsOf = new Set(settled.columns.map(({ to }) => to))
  const whole = settled.columns.find(({ to }) => to === 'name')
  if (whole && !targetsOf.has('lastName')) {
    questions.push({ code: 'name', column: whole.name, samples: [], choices: ['lastName', 'firstName'] })
  }
  const rest = () =>
    settled.columns.flatMap(({ to, name }) =>
      to === null && name !== '' && getOwn(choices.columns, name) === undefined ? [name] : [],
    )
  if (resource === 'coupons') questions.push(...askCoupons(settled.columns, rest()))
  if (resource === 'products' && !targetsOf.has('title')) {
    // A table of keys changes what exists, and needs no title.
    const hasKey = ['id', 'externalId', 'sku', 'upc', 'key', 'code'].some((key) => targetsOf.has(key))
    const left = rest()
    // A column "Text" or "Descrizione" may have the titles.
    const texts = settled.columns.flatMap(({ to, how, name }) =>
      to === 'description' && how === 'synonym' ? [name] : [],
    )
    const titles = open.length > 0 ? open : [...texts, ...left]
    if (titles.length > 0 || !hasKey) questions.push({ code: 'column', column: 'title', samples: [], choices: titles })
  }
  if (resource === 'products' && !targetsOf.has('price') && !settled.columns.some(({ to }) => isSizePrice(to))) {
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
