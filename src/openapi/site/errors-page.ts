import { html } from 'hono/html'
import { issueCodes, problems } from '../../errors.ts'
import { issueDescriptions, problemCodes, problemDescriptions } from '../problem-descriptions.ts'
import { renderSitePage, withCode } from './page-frame.ts'

/** The page that the `type` of every problem leads to. */
export const renderErrorsPage = () =>
  renderSitePage(
    'Errors – Merchant Ordering API',
    html`<header><a href="/">Merchant Ordering API</a><h1>Errors</h1></header>
<main>
<p>An error is answered as a problem document (RFC 9457, <code>application/problem+json</code>). Its <code>code</code>
is one of the following, and its <code>type</code> leads to it on this page. <code>requestId</code> names the request
when you ask us about it.</p>
<h2>Problems</h2>
${problemCodes.map((code) => {
  const [status, title] = problems[code]
  return html`<h3 id="${code}"><code>${code}</code></h3>
<p><strong>${status} ${title}.</strong> ${withCode(problemDescriptions[code])}</p>
`
})}
<h2 id="issues">Issues</h2>
<p>Where fields or query parameters are at fault, <code>errors</code> names each of them, with one of these codes.
<code>pointer</code> says where in the body it stands (RFC 6901), <code>parameter</code> which parameter it is.</p>
<dl>
${issueCodes.map(
  (code) => html`<dt id="issue-${code}"><code>${code}</code></dt><dd>${withCode(issueDescriptions[code])}</dd>
`,
)}
</dl>
</main>`,
  )
