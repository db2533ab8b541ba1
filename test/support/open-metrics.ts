/** A family of metrics with its samples. */
export interface Family {
  type: string
  unit: string | undefined
  help: string
  samples: { name: string; labels: Record<string, string>; value: number }[]
}

const escaped = String.raw`(?:[^\n"\\]|\\[n"\\])*`
const label = `[A-Za-z_][A-Za-z0-9_]*="${escaped}"`
const name = '[A-Za-z_:][A-Za-z0-9_:]*'
const sampleLine = new RegExp(
  `^(${name})(?:\\{(${label}(?:,${label})*)?\\})? ([+-]?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)$`,
)
const metadataLine = new RegExp(`^# (TYPE|UNIT|HELP) (${name}) (${escaped})$`)
const suffixes: Record<string, readonly string[]> = { gauge: [''], counter: ['_total', '_created'] }

/** Parses the text format of OpenMetrics 1.0 by its grammar, for gauges and counters without timestamps. Throws for what is not valid. */
export function parseOpenMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let current: [string, Family] | undefined
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.pop() !== '# EOF') throw new Error('must end with # EOF and a line feed')
  for (const line of lines) {
    const [, kind, family = '', value = ''] = metadataLine.exec(line) ?? []
    if (kind !== undefined) {
      if (current?.[0] !== family) {
        if (families.has(family)) throw new Error(`interleaved: ${line}`)
        current = [family, { type: 'unknown', unit: undefined, help: '', samples: [] }]
        families.set(...current)
      }
      const [, metric] = current
      if (metric.samples.length > 0) throw new Error(`metadata behind samples: ${line}`)
      if (seen.has(`${kind} ${family}`)) throw new Error(`twice: ${line}`)
      seen.add(`${kind} ${family}`)
      if (kind === 'TYPE') metric.type = value
      else if (kind === 'HELP') metric.help = value
      else metric.unit = value
      if (kind === 'UNIT' && !family.endsWith(`_${value}`)) throw new Error(`the name lacks the unit: ${line}`)
      continue
    }
    const [, sample = '', labels = '', number] = sampleLine.exec(line) ?? []
    if (number === undefined) throw new Error(`malformed: ${line}`)
    if (!current || !suffixes[current[1].type]?.some((suffix) => current?.[0] + suffix === sample))
      throw new Error(`not of its family: ${line}`)
    if (seen.has(`${sample}{${labels}}`)) throw new Error(`twice: ${line}`)
    seen.add(`${sample}{${labels}}`)
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', raw = '']): [string, string] => [
      key,
      raw.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
    ])
    current[1].samples.push({ name: sample, labels: Object.fromEntries(pairs), value: Number(number) })
  }
  return families
}

const helpLine = new RegExp(`^# HELP (${name}) (?:[^\\n\\\\]|\\\\[n\\\\])+$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge)$`)

/**
 * Reads the text format 0.0.4 of Prometheus by its grammar, and by the rules of `promtool check metrics` for gauges and counters: each
 * family has a help, then a type, then its samples. Returns the types. Throws for what is not valid.
 */
export function requirePrometheusText(text: string): Map<string, string> {
  const types = new Map<string, string>()
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('must end with a line feed')
  let [helped, current] = ['', '']
  for (const line of lines) {
    const [, withHelp] = helpLine.exec(line) ?? []
    const [, withType, type = ''] = typeLine.exec(line) ?? []
    if (withHelp !== undefined) helped = withHelp
    else if (withType !== undefined) {
      if (withType !== helped || types.has(withType)) throw new Error(`no help before, or twice: ${line}`)
      types.set(withType, type)
      current = withType
    } else if (sampleLine.exec(line)?.[1] !== current) throw new Error(`malformed, or not of its family: ${line}`)
  }
  return types
}
