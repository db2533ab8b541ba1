const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b)

export function median(values: readonly number[]): number {
  const [low, high] = [Math.floor((values.length - 1) / 2), Math.ceil((values.length - 1) / 2)]
  const ordered = sorted(values)
  return ((ordered[low] ?? 0) + (ordered[high] ?? 0)) / 2
}

/** The middle half of the values: first and third quartile. */
export function spread(values: readonly number[]): readonly [number, number] {
  const ordered = sorted(values)
  return [ordered[Math.floor(values.length / 4)] ?? 0, ordered[Math.floor((3 * values.length - 1) / 4)] ?? 0]
}

/** Prints a table; all columns but the first are right-aligned. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  console.log(line(headings))
  for (const row of rows) console.log(line(row))
}

/** Result of one case. */
export interface Figure {
  name: string
  minRatio: number | undefined
  /** Whether the control has no equivalent. */
  isAlone: boolean
  perSecond: number
  control: number
  ratio: number
  spread: readonly [number, number]
  cpuUs: number
  cpuUsControl: number
  p50: number
  p50Control: number
}

interface Report {
  machine: { processor: string | undefined; cores: number; node: string; load: number | undefined }
  effort: { sittings: number; rounds: number }
  connections: number
  bundleGzip: number
  figures: readonly Figure[]
}

export function print({ machine, effort: { sittings, rounds }, connections, bundleGzip, figures }: Report): void {
  console.log(`${machine.cores} × ${machine.processor}, node ${machine.node}, load ${machine.load?.toFixed(1)}`)
  console.log(
    `${sittings} pairs of processes, ${rounds} rounds each, ${connections} connections; ratio: service to control, median and middle half of the rounds`,
  )
  console.log(`bundle ${(bundleGzip / 1024).toFixed(1)} KiB gzip\n`)
  table(
    [
      '',
      'req/s',
      'control',
      'ratio',
      'middle half',
      'required',
      'CPU µs',
      'control',
      'ratio',
      'p50 ms at 20/s',
      'control',
      'ratio',
    ],
    figures.map(
      ({ name, minRatio, isAlone, perSecond, control, ratio, spread, cpuUs, cpuUsControl, p50, p50Control }) => {
        const own = [name, perSecond.toFixed(0)]
        if (isAlone) return [...own, '', '', '', '', cpuUs.toFixed(0), '', '', p50.toFixed(2), '', '']
        return [
          ...own,
          control.toFixed(0),
          ratio.toFixed(2),
          spread.map((value) => value.toFixed(2)).join('–'),
          minRatio === undefined ? '' : `${minRatio.toFixed(2)}${ratio >= minRatio ? '' : ' !'}`,
          cpuUs.toFixed(0),
          cpuUsControl.toFixed(0),
          (cpuUsControl / cpuUs).toFixed(2),
          p50.toFixed(2),
          p50Control.toFixed(2),
          (p50 / p50Control).toFixed(2),
        ]
      },
    ),
  )
}
