import { Hono } from 'hono'
import { html } from 'hono/html'
import { version } from '../../package.json'
import type { Env } from '../env.ts'
import { lazy } from './database.ts'
import { issueCodes, problems } from './errors.ts'
import { openapi } from './openapi.ts'
import { type Chapter, pageAnswer } from './operations.ts'
import { policyFor } from './policy.ts'

const maxAge = 'public, max-age=300'

/** The published contract: the OpenAPI document of all chapters, and the page that every problem's `type` points to. */
export function createDocs(chapters: readonly (() => Chapter)[]) {
  const document = lazy(() =>
    JSON.stringify(
      openapi(
        [...chapters, serviceChapter].map((chapter) => chapter()),
        version,
      ),
    ),
  )
  // The page is kept, not the promise of it: a promise belongs to the request that made it.
  let errors: Awaited<ReturnType<typeof createErrorsPage>> | undefined
  return new Hono<Env>()
    .get('/openapi.json', (c) =>
      c.body(document(), 200, { 'Content-Type': 'application/json', 'Cache-Control': maxAge }),
    )
    .get('/docs/errors', async (c) => {
      errors ??= await createErrorsPage()
      return c.html(errors.page, 200, {
        'Content-Security-Policy': errors.policy,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': maxAge,
      })
    })
}

/** What anyone may ask. */
const serviceChapter = (): Chapter => ({
  name: 'Service',
  description: 'The service itself; no key is needed.',
  operations: [
    {
      id: 'checkHealth',
      method: 'get',
      path: '/health',
      summary: 'Tell whether the service is ready',
      access: 'anyone',
      answers: {
        200: {
          description: 'The service and its database answer.',
          schema: { type: 'object', properties: { status: { type: 'string', const: 'ok' } }, required: ['status'] },
        },
      },
      problems: ['unavailable'],
    },
    {
      id: 'retrieveOpenapi',
      method: 'get',
      path: '/openapi.json',
      summary: 'Retrieve this document',
      access: 'anyone',
      answers: { 200: { description: 'OpenAPI 3.1.', schema: { type: 'object' } } },
    },
    {
      id: 'readErrors',
      method: 'get',
      path: '/docs/errors',
      summary: 'Read what each error code means',
      access: 'anyone',
      answers: { 200: pageAnswer('A page.') },
    },
  ],
})

const style = `body{font:1rem/1.5 system-ui,sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}
code{font-size:1.1em}dt,h3{margin-top:1.5rem}dd{margin:0}:target{outline:2px solid;outline-offset:.5rem}`

/** What stands in backticks is code. */
const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))

/** The page and its policy, which allows nothing but the page's one style. */
async function createErrorsPage() {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Errors – Merchant Ordering API</title>
<style>${style}</style>
</head>
<body>
<h1>Errors</h1>
<p>An error is answered as a problem document (RFC 9457, <code>application/problem+json</code>). Its <code>code</code>
is one of the following, and its <code>type</code> leads to it on this page. <code>requestId</code> names the request
when you ask us about it.</p>
<h2>Problems</h2>
${Object.entries(problems).map(
  ([code, [status, title, meaning]]) => html`<h3 id="${code}"><code>${code}</code></h3>
<p><strong>${status} ${title}.</strong> ${withCode(meaning)}</p>
`,
)}
<h2 id="issues">Issues</h2>
<p>Where fields or query parameters are at fault, <code>errors</code> names each of them, with one of these codes.
<code>pointer</code> says where in the body it stands (RFC 6901), <code>parameter</code> which parameter it is.</p>
<dl>
${Object.entries(issueCodes).map(
  ([code, meaning]) => html`<dt id="issue-${code}"><code>${code}</code></dt><dd>${meaning}</dd>
`,
)}
</dl>
</body>
</html>
`
  return { page, policy: await policyFor({ style }) }
}
