import { html } from 'hono/html'
import { type ProblemCode, problems } from '../../../../src/platform/errors.ts'
import type { JsonSchema } from '../../../../src/platform/http/openapi/json-schema.ts'
import type { ApiOperation, ApiResponse, OperationGroup } from '../../../../src/platform/http/openapi/operation.ts'
import { problemCodes } from '../../../../src/platform/http/openapi/problem-schema.ts'
import { describeQuery } from '../../parameters.ts'
import { listProblemCodes } from '../../problem-responses.ts'
import { listRequestHeaders } from '../../response-headers.ts'
import type { SiteHtml } from '../page-frame.ts'
import { joinHtml, renderInline, toGroupId } from './inline-text.ts'
import { flattenFields, renderExample, renderFields, renderTerm, renderType } from './schema-fields.ts'

type Parameter = ReturnType<typeof describeQuery>[number]

const toKey = ({ name, description = '', schema }: Parameter) => JSON.stringify([name, description, schema])
/** Minimum number of operations that share one description of a parameter. */
const minOperations = 3

const listParameters = ({ query }: ApiOperation) => (query ? describeQuery(query) : [])

/** The parameters that several operations share, by their content. */
export function findSharedParameters(operations: readonly ApiOperation[]): ReadonlyMap<string, Parameter> {
  const counted = Map.groupBy(operations.flatMap(listParameters), toKey)
  const shared = [...counted].flatMap(([key, all]) =>
    all.length >= minOperations && all[0] ? [[key, all[0]] as const] : [],
  )
  // A name can have several meanings. The most frequent meaning is shared.
  const byName = Map.groupBy(shared, ([, { name }]) => name)
  const count = (key: string) => counted.get(key)?.length ?? 0
  return new Map([...byName.values()].flatMap((all) => all.toSorted(([a], [b]) => count(b) - count(a)).slice(0, 1)))
}

/** Renders a parameter or a header as a row. With `id` it can be linked to. */
export const renderParameter = ({ name, description = '', schema, required }: Parameter, id?: string) =>
  renderTerm({ name, type: html`${renderType(schema)}${required ? ', required' : ''}`, description }, id)

/** Problems that nearly all operations have. The page describes them once. */
export const commonProblems: ReadonlySet<ProblemCode> = new Set([
  'internal',
  'method_not_allowed',
  'unauthenticated',
  'forbidden',
  'merchant_suspended',
  'address_not_allowed',
  'rate_limited',
  'malformed_bookmark',
  'malformed_path',
  'misconfigured',
  'unavailable',
  'invalid_request',
  'unsupported_media_type',
  'body_too_large',
  'malformed_body',
  'idempotency_key_reused',
  'idempotency_key_in_use',
])

const linkProblem = (code: ProblemCode) => html`<a href="/docs/errors#${code}">${problems[code][0]} ${code}</a>`

/** Renders links to problems, each once. */
export const renderProblems = (codes: Iterable<ProblemCode>) => {
  const wanted = new Set(codes)
  return html`${joinHtml(problemCodes.filter((code) => wanted.has(code)).map(linkProblem), ', ')}`
}

const describeAccess = ({ access, scope }: ApiOperation): SiteHtml => {
  if (scope !== undefined) {
    return html`scope ${joinHtml(
      [scope].flat().map((each) => html`<code>${each}</code>`),
      ' and ',
    )}`
  }
  if (access === 'anyone') return html`no key`
  if (access === 'operator') return html`operator`
  return access === 'session' ? html`session` : html`API key`
}

/** Descriptions on the page, except those of operations. */
interface Described {
  schemas: Readonly<Record<string, JsonSchema>>
  parameters: ReadonlyMap<string, Parameter>
}

/** Contents of a response. Lists the fields of a schema without a name. */
function renderResponse(
  status: string,
  { description, schema, contentType = 'application/json', otherContent = {} }: ApiResponse,
  { schemas }: Described,
): SiteHtml {
  const isJson = contentType === 'application/json'
  const others = Object.keys(otherContent).map((type) => html`${type}`)
  const types = schema ? [isJson ? renderType(schema) : html`${contentType}`, ...others] : []
  const fields = schema && isJson && !schema.$ref ? flattenFields(schema, schemas) : []
  return html`<p><b>${status}</b>${types.length > 0 ? html` ${joinHtml(types, ', ')}` : ''}. ${renderInline(description)}</p>${renderFields(fields, false)}`
}

function renderBody({ body, file = {}, example, id }: ApiOperation, { schemas }: Described): SiteHtml {
  const types = Object.keys(file)
  if (types.length > 0) {
    const parts = Object.values(file).flatMap((schema) => flattenFields(schema, schemas))
    return html`<p>Body: ${types.join(', ')}</p>${renderFields(parts, true)}`
  }
  if (!body) return html``
  return html`<p>Body: ${renderType(body)}</p>${renderFields(body.$ref ? [] : flattenFields(body, schemas), true)}${renderExample(example, id)}`
}

function renderOperation(operation: ApiOperation, described: Described): SiteHtml {
  const { id, method, path, summary, description, responses } = operation
  const [shared = [], own = []] = partition(listParameters(operation), (each) => described.parameters.has(toKey(each)))
  const links = [
    ...shared.map(({ name }) => html`<a href="#p-${name}">${name}</a>`),
    ...listRequestHeaders(operation).map((name) => html`<a href="#h-${name}">${name}</a>`),
  ]
  const special = new Set(listProblemCodes(operation)).difference(commonProblems)
  return html`<article id="${id}"><h3>${summary}</h3>
<p><code>${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}</code> <small>${describeAccess(operation)}</small></p>
${description === undefined ? '' : html`<p>${renderInline(description)}</p>`}${links.length > 0 ? html`<p>Takes ${joinHtml(links, ', ')}</p>` : ''}${own.length > 0 ? html`<dl>${own.map((each) => renderParameter(each))}</dl>` : ''}${renderBody(operation, described)}${Object.entries(responses).map(([status, response]) => renderResponse(status, response, described))}${special.size > 0 ? html`<p>Errors: ${renderProblems(special)}</p>` : ''}</article>
`
}

const partition = <Item>(items: readonly Item[], isFirst: (item: Item) => boolean) => {
  const groups = Map.groupBy(items, isFirst)
  return [groups.get(true), groups.get(false)] as const
}

/** Renders a group: its operations, each with its specific parts. */
export const renderGroup = (
  { name, description, operations }: OperationGroup,
  described: Described,
): SiteHtml => html`<section id="${toGroupId(name)}"><h2>${name}</h2>
<p>${renderInline(description)}</p>
<ul class="toc">${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}</ul>
${operations.map((operation) => renderOperation(operation, described))}</section>
`
