import { html } from 'hono/html'
import { renderSitePage } from './page-frame.ts'

/** Nothing that asks another host: no fonts, no statistics, no proxy, no assistants. Keys are forgotten with the page. */
const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'key' },
  orderSchemaPropertiesBy: 'preserve',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
} as const

/** What starts the reference, in a file of its own: the page allows no script in itself. */
export const referenceScript = `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)})\n`

/** The reference of the API, which a program draws of the document. */
export const renderReferencePage = () =>
  renderSitePage(
    'Reference – Merchant Ordering API',
    html`<div id="reference"></div>
<noscript><main><h1>Merchant Ordering API</h1>
<p>The reference needs JavaScript. The same is in <a href="/openapi.json">the OpenAPI document</a>.</p></main></noscript>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>`,
    { styled: false },
  )
