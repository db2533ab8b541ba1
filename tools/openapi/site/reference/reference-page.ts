import { html } from 'hono/html'
import type { EventType } from '../../../../src/catalogue/events/event-catalogue.operations.ts'
import type { OperationGroup } from '../../../../src/platform/http/openapi/operation.ts'
import { collectSchemas, introduction } from '../../document.ts'
import { requestHeaders } from '../../response-headers.ts'
import { notifications } from '../../webhook-requests.ts'
import { findLink, renderSitePage } from '../page-frame.ts'
import { joinHtml, renderInline, toGroupId } from './inline-text.ts'
import {
  commonProblems,
  findSharedParameters,
  renderGroup,
  renderParameter,
  renderProblems,
} from './render-operations.ts'
import { renderSchemas } from './render-schemas.ts'

/** An example of each schema: that of the first response that has it. */
function collectExamples(groups: readonly OperationGroup[]): ReadonlyMap<string, unknown> {
  const examples = new Map<string, unknown>()
  for (const { operations } of groups) {
    for (const { responses } of operations) {
      for (const { schema, example } of Object.values(responses)) {
        const name = schema?.$ref?.replace(/.*\//, '')
        if (name !== undefined && example !== undefined && !examples.has(name)) examples.set(name, example)
      }
    }
  }
  return examples
}

/** The reference of the API as one page that needs no script. Each description is on it once. */
export function renderReferencePage(groups: readonly OperationGroup[], events: readonly EventType[]): Promise<string> {
  const operations = groups.flatMap((group) => group.operations)
  const described = { schemas: collectSchemas(groups), parameters: findSharedParameters(operations) }
  const headers = requestHeaders(operations)
  const sections = [
    ...groups.map(({ name }) => [toGroupId(name), name]),
    [toGroupId(notifications.name), notifications.name],
    ['schemas', 'Schemas'],
  ]
  return renderSitePage(
    { title: 'Reference – Merchant Ordering API', description: 'All operations, fields and limits of the API.' },
    html`<header><a href="/">Merchant Ordering API</a>${findLink}<h1>API reference</h1></header>
<main class="reference">
<p>${renderInline(introduction.replaceAll('\n', ' '))}</p>
<p><a href="/docs/guides/quickstart">Quickstart</a> · <a href="/docs/try">Try requests in the browser</a> · <a href="/docs/guides">Guides</a> · <a href="/docs/errors">Errors</a> · <a href="/openapi.json">OpenAPI document</a></p>
<nav aria-label="Sections"><ul>${sections.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<section id="requests"><h2>Requests</h2>
<p>A key of a merchant is sent as <code>Authorization: Bearer sk_…</code>. Scopes limit what it can do; <code>:write</code> includes <code>:read</code>. Fields of requests accept decimal strings for numbers, and 0 and 1 for booleans; <code>null</code> clears a field. Responses contain numbers and booleans.</p>
<h3>Headers</h3>
<dl>${Object.entries(headers).map(([name, { description }]) => html`<dt id="h-${name}"><code>${name}</code></dt><dd>${renderInline(description)}</dd>`)}</dl>
<h3>Parameters of lists</h3>
<dl>${[...described.parameters.values()].map((parameter) => renderParameter(parameter, `p-${parameter.name}`))}</dl>
<h3>Errors of all operations</h3>
<p>Each request can fail with ${renderProblems(commonProblems)}. Operations list the errors they have besides.</p></section>
${groups.map((group) => renderGroup(group, described))}<section id="${toGroupId(notifications.name)}"><h2>${notifications.name}</h2>
<p>${renderInline(notifications.description)} Each has the body of <a href="#Event">Event</a>. <a href="/event-types">All events</a> with schemas and samples:</p>
<p>${joinHtml(
      events.map(({ type }) => html`<code>${type}</code>`),
      ', ',
    )}</p></section>
<section id="schemas"><h2>Schemas</h2>
${renderSchemas(described.schemas, collectExamples(groups))}</section>
</main>`,
  )
}
