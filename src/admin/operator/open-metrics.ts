/** A number that operators observe. */
export interface Metric {
  /** Without the prefix. The name of a time or a duration ends with `_seconds`. */
  name: string
  type: 'gauge' | 'counter'
  help: string
  /** Values with their labels. Without samples the metric is left out. */
  samples: readonly { labels?: Readonly<Record<string, string>>; value: number }[]
}

export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

const prefix = 'merchant_api_'
const escapeText = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function* renderMetric({ name, type, help, samples }: Metric): Iterable<string> {
  if (samples.length === 0) return
  const family = prefix + name
  yield `# TYPE ${family} ${type}`
  if (name.endsWith('_seconds')) yield `# UNIT ${family} seconds`
  yield `# HELP ${family} ${escapeText(help)}`
  const sample = type === 'counter' ? `${family}_total` : family
  for (const { labels = {}, value } of samples) yield `${sample}${renderLabels(labels)} ${value}`
}

/** Renders metrics in the text format of OpenMetrics 1.0. */
export const renderMetrics = (metrics: readonly Metric[]) =>
  `${[...metrics.flatMap((metric) => [...renderMetric(metric)]), '# EOF'].join('\n')}\n`
