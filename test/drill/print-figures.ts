/** Figures of a drill. */
export type Figure = readonly [what: string, value: number | string]

/** Prints figures as a Markdown table. */
export function printFigures(figures: readonly Figure[]): void {
  const rows = figures.map(([what, value]) => `| ${what} | ${value} |`)
  console.log(`\n| Figure | Measured |\n| --- | --- |\n${rows.join('\n')}`)
}
