import type { ApiOperation, OperationGroup } from '../../src/platform/http/openapi/operation.ts'
import { describePath, describeQuery } from './parameters.ts'

/** Indents the lines of a text, as blocks of the Bru language require. */
const indent = (text: string) => text.replace(/^(?=.)/gm, '  ')
const block = (name: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `\n${name} {\n${indent(lines.join('\n'))}\n}\n`

/** Files have the names of operations, which are unique even on file systems that ignore case. */
const folderOf = (name: string) => name.replace(/[^\w -]/g, '')

function renderRequest(operation: ApiOperation, sequence: number): string {
  const { id, summary, description, method, path, query, access, body, example } = operation
  const parameters = describePath(operation).map(
    ({ name, example: value }) => `${name}: ${name === 'merchantId' ? '{{merchantId}}' : value}`,
  )
  // They are disabled, because each is optional and is filled in by hand.
  const filters = query ? describeQuery(query).map(({ name }) => `~${name}: `) : []
  const url = `{{baseUrl}}${path}`
  return [
    `meta {\n  name: ${id}\n  type: http\n  seq: ${sequence}\n}\n`,
    `\n${method} {\n  url: ${url}\n  body: ${body ? 'json' : 'none'}\n  auth: ${access === 'operator' ? 'bearer' : 'inherit'}\n}\n`,
    block('params:query', filters),
    block('params:path', parameters),
    access === 'operator' ? block('auth:bearer', ['token: {{adminToken}}']) : '',
    body ? block('body:json', [JSON.stringify(example ?? {}, undefined, 2)]) : '',
    block('docs', [[summary, description].filter(Boolean).join('. ')]),
  ].join('')
}

const settings = {
  'bruno.json': `${JSON.stringify({ version: '1', name: 'Merchant Ordering API', type: 'collection' }, undefined, 2)}\n`,
  'collection.bru': `auth {\n  mode: bearer\n}\n${block('auth:bearer', ['token: {{key}}'])}`,
  'environments/Local.bru': `vars {\n  baseUrl: http://localhost:8787\n  merchantId: mer_…\n}\n\nvars:secret [\n  key,\n  adminToken\n]\n`,
}

/** A Bruno collection of the operations that take a key or the operator's secret, by path of the file. */
export function renderBrunoCollection(groups: readonly OperationGroup[]): Readonly<Record<string, string>> {
  const files = groups.flatMap(({ name, operations }) =>
    operations
      .filter(({ access, file }) => (access === 'key' || access === 'operator') && !file)
      .map(
        (operation, index) => [`${folderOf(name)}/${operation.id}.bru`, renderRequest(operation, index + 1)] as const,
      ),
  )
  return { ...settings, ...Object.fromEntries(files) }
}
