import { html } from 'hono/html'
import { issueCodes, problems } from '../../../src/platform/errors.ts'
import { problemCodes } from '../../../src/platform/http/openapi/problem-schema.ts'
import { issueDescriptions, problemDescriptions } from '../problem-descriptions.ts'
import { findLink, renderSitePage, withCode } from './page-frame.ts'

/** The page that the `type` of every problem refers to. */
export const renderErrorsPage = () =>
  renderSitePage(
    { title: 'Errors – Merchant Ordering API', description: 'The meaning of each error code of the API.' },
    html`<header><a href="/">Merchant Ordering API</a>${findLink}<h1>Errors</h1></header>
<main>
<p>Errors are problem documents (RFC 9457, <code>application/problem+json</code>). The <code>code</code> of a problem is
one of the following. Its <code>type</code> is the address of the code on this page. To report a problem, quote its
<code>requestId</code>.</p>
<h2>Problems</h2>
${problemCodes.map((code) => {
  const [status, title] = problems[code]
  return html`<h3 id="${code}"><code>${code}</code></h3>
<p><strong>${status} ${title}.</strong> ${withCode(problemDescriptions[code])}</p>
`
})}
<h2 id="issues">Issues</h2>
<p>If fields or query parameters are not valid, <code>errors</code> lists all issues, each with one of these codes.
<code>pointer</code> is the location in the body (RFC 6901), <code>parameter</code> the name of the query parameter.</p>
<dl>
${issueCodes.map(
  (code) => html`<dt id="issue-${code}"><code>${code}</code></dt><dd>${withCode(issueDescriptions[code])}</dd>
`,
)}
</dl>
</main>`,
  )
