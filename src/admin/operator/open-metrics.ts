/** A number that operators observe. */
export interface Metric {
  /** Without the prefix. The name of a time or a duration ends with `_seconds`. */
  name: string
  type: 'gauge' | 'counter'
  help: string
  /** Values with their labels. A metric without samples is left out. */
  samples: readonly { labels?: Readonly<Record<string, string>>; value: number }[]
}

/** Formats of metrics, and the content type of each. */
export const metricsTypes = {
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
} as const
type MetricsFormat = keyof typeof metricsTypes

/** The format for a scraper: OpenMetrics if it accepts that, otherwise the text format of Prometheus, which all scrapers read. */
export const chooseFormat = (accept: string | undefined): MetricsFormat =>
  accept !== undefined && /application\/openmetrics-text/i.test(accept) ? 'openMetrics' : 'prometheus'

const prefix = 'merchant_api_'
const escapeText = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeQuoted = (text: string) => escapeText(text).replaceAll('"', '\\"')

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeQuoted(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function* renderMetric({ name, type, help, samples }: Metric, format: MetricsFormat): Iterable<string> {
  if (samples.length === 0) return
  const isOpen = format === 'openMetrics'
  const family = prefix + name
  const sample = type === 'counter' ? `${family}_total` : family
  // Prometheus names a counter like its samples, and has no units. It does not escape quotes in a help text.
  const described = isOpen ? family : sample
  if (!isOpen) yield `# HELP ${described} ${escapeText(help)}`
  yield `# TYPE ${described} ${type}`
  if (isOpen && name.endsWith('_seconds')) yield `# UNIT ${family} seconds`
  if (isOpen) yield `# HELP ${family} ${escapeQuoted(help)}`
  for (const { labels = {}, value } of samples) yield `${sample}${renderLabels(labels)} ${value}`
}

/** Renders metrics in the text format of OpenMetrics 1.0 or of Prometheus. */
export const renderMetrics = (metrics: readonly Metric[], format: MetricsFormat = 'openMetrics') =>
  `${[
    ...metrics.flatMap((metric) => [...renderMetric(metric, format)]),
    ...(format === 'openMetrics' ? ['# EOF'] : []),
  ].join('\n')}\n`
