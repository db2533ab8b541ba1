import { toVisible, toVisibleJson, toVisibleLines } from './visible-text.ts'

/** Maximum number of printed columns of a table, and of characters of one cell. */
const maxColumns = 6
const maxCell = 40
/** Fields that are not useful in a list. */
const hiddenFields = new Set(['object', 'testMode', 'createdAt', 'updatedAt'])
/** Number of rows that are read before the columns of a table are chosen. */
const sampleRows = 50
const barWidth = 30

/** Characters that take two columns of a terminal: East Asian scripts and pictograms. */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}]/gu
const marks = /\p{M}/gu
const gap = '  '

/** Width of a text in columns of a terminal. */
const widthOf = (text: string) => [...text.replace(marks, '')].length + (text.match(wide)?.length ?? 0)
const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)))

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

const isEntry = (value: unknown): value is { key: string; value: string } =>
  typeof value === 'object' && value !== null && 'key' in value && 'value' in value

/** Metadata as `key=value`, lists separated by commas, other values as JSON. */
function toText(value: unknown): string {
  if (isScalar(value)) return String(value)
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.map((each) => (isEntry(each) ? `${each.key}=${each.value}` : toText(each))).join(', ')
}

/** One line of text for a cell. A pipe or a file gets the whole text. */
function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = toText(value)
  const line = toVisible(text.replace(/\s+/g, ' '))
  return process.stdout.isTTY && line.length > maxCell ? `${line.slice(0, maxCell - 1)}…` : line
}

/** The fields that a table of objects shows: those with short values, flags last. */
function chooseColumns(rows: readonly object[]): string[] {
  const shown = rows
    .flatMap((row) => Object.entries(row))
    .filter(([name, value]) => isScalar(value) && !hiddenFields.has(name))
  const namesOf = (areFlags: boolean) =>
    shown.filter(([, value]) => (typeof value === 'boolean') === areFlags).map(([name]) => name)
  return [...new Set([...namesOf(false), ...namesOf(true)])].slice(0, maxColumns)
}

/** The number of columns that fit a terminal, at least one. */
function countFitting(sizes: readonly number[], terminalWidth: number): number {
  let used = 0
  const tooWide = sizes.findIndex((size, index) => {
    used += size + (index === 0 ? 0 : gap.length)
    return used > terminalWidth
  })
  return tooWide === -1 ? sizes.length : Math.max(1, tooWide)
}

function layOut(columns: readonly string[], rows: readonly object[], withHead: boolean, widths?: readonly number[]) {
  const cells = rows.map((row) => columns.map((name) => toCell(Reflect.get(row, name))))
  const lines = withHead ? [columns.map(toVisible), ...cells] : cells
  // A text that is longer than a cell does not widen the other rows.
  const all = columns.map((_, index) => Math.max(...lines.map((line) => Math.min(widthOf(line[index] ?? ''), maxCell))))
  const sizes = widths ?? all.slice(0, countFitting(all, process.stdout.columns ?? Number.POSITIVE_INFINITY))
  return {
    sizes,
    text: lines.map((line) =>
      sizes
        .map((size, index) => pad(line[index] ?? '', size))
        .join(gap)
        .trimEnd(),
    ),
  }
}

/** Output of commands. The result goes to the standard output, everything else to the error stream. */
export interface Output {
  isJson: boolean
  /** Prints lines of the result. Control characters become visible. */
  print(text: string): void
  /** Prints a line for people on the error stream. It is not a part of the result. */
  note(text: string): void
  /** Prints one object. */
  object(value: object): void
  /** Prints objects as a table, or as one JSON array. */
  list(items: AsyncIterable<object> | Iterable<object>, columns?: readonly string[]): Promise<void>
  /** Draws a progress bar, only on terminals. Without `total`, shows only the number. */
  progress(label: string, done: number, total?: number): void
}

/** The output of a command, for people or as JSON. */
export function createOutput(isJson: boolean): Output {
  const { stdout, stderr } = process
  let isDrawing = false
  const clear = () => {
    if (isDrawing) stderr.write('\r\u001B[K')
    isDrawing = false
  }
  const protect = isJson ? toVisibleJson : toVisibleLines
  const print = (text: string) => {
    clear()
    stdout.write(`${protect(text)}\n`)
  }
  return {
    isJson,
    print,
    note(text) {
      clear()
      stderr.write(`${protect(text)}\n`)
    },
    object(value) {
      if (isJson) return print(JSON.stringify(value, undefined, 2))
      const entries = Object.entries(value).map(([name, field]) => {
        const text = isScalar(field) ? String(field) : field === null ? '' : JSON.stringify(field)
        return [toVisible(name), toVisible(text)] as const
      })
      const width = Math.max(0, ...entries.map(([name]) => name.length))
      for (const [name, text] of entries) print(`${name.padEnd(width)}  ${text}`.trimEnd())
    },
    async list(items, fixed) {
      if (isJson) {
        let count = 0
        for await (const item of items)
          stdout.write(`${count++ === 0 ? '[\n' : ',\n'}${toVisibleJson(JSON.stringify(item))}`)
        return print(count === 0 ? '[]' : '\n]')
      }
      let sample: object[] = []
      let chosen: { columns: readonly string[]; sizes: readonly number[] } | undefined
      const flush = () => {
        const columns = chosen?.columns ?? fixed ?? chooseColumns(sample)
        const { sizes, text } = layOut(columns, sample, chosen === undefined, chosen?.sizes)
        for (const line of text) print(line)
        chosen = { columns, sizes }
        sample = []
      }
      for await (const item of items) {
        sample.push(item)
        if (sample.length >= sampleRows) flush()
      }
      if (sample.length > 0) flush()
      else if (!chosen) this.note('Nothing found.')
    },
    progress(label, done, total) {
      if (!stderr.isTTY || isJson) return
      const filled = total ? Math.round((Math.min(done, total) / total) * barWidth) : 0
      const bar = total ? `[${'█'.repeat(filled)}${' '.repeat(barWidth - filled)}] ${done}/${total}` : String(done)
      stderr.write(`\r\u001B[K${toVisible(label)} ${bar}`)
      isDrawing = true
    },
  }
}
