import { html } from 'hono/html'
import { renderSitePage } from './page-frame.ts'

/** Prevents requests to other hosts: no fonts, telemetry, proxy or assistant. API keys are not stored. */
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

/** Starts the reference. A file of its own, because the page allows no inline scripts. */
export const referenceScript = `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)})\n`

/** The API reference, rendered in the browser from the OpenAPI document. */
export const renderReferencePage = () =>
  renderSitePage(
    'Reference – Merchant Ordering API',
    html`<div id="reference"></div>
<noscript><main><h1>Merchant Ordering API</h1>
<p>The reference requires JavaScript. Without it, read <a href="/openapi.json">the OpenAPI document</a>.</p></main></noscript>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>`,
    { styled: false },
  )
