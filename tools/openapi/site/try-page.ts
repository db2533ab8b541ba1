import { html } from 'hono/html'
import { renderSitePage } from './page-frame.ts'

/** Prevents requests to other hosts: no fonts, telemetry, proxy or assistant. API keys are not stored. */
const configuration = {
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

/**
 * Starts the reference. It is a separate file, because the page allows no inline scripts. Scalar sends the first value of each enumeration and
 * boolean by default. Its document therefore has optional parameters without enumerations and booleans; their descriptions name the values.
 */
export const tryScript = `fetch('/openapi.json').then((response) => response.json()).then((document) => {
  for (const path of Object.values(document.paths)) {
    for (const { parameters = [] } of Object.values(path)) {
      for (const parameter of parameters) {
        if (parameter.in === 'query' && !parameter.required) parameter.schema = { type: 'string' }
      }
    }
  }
  Scalar.createApiReference('#reference', { ...${JSON.stringify(configuration)}, content: document })
})
`

/** The page to try requests, rendered in the browser from the OpenAPI document. */
export const renderTryPage = () =>
  renderSitePage(
    { title: 'Try requests – Merchant Ordering API', description: 'Sends requests to the API from the browser.' },
    html`<div id="reference"></div>
<noscript><main><h1>Merchant Ordering API</h1>
<p>This page requires JavaScript. Without it, read <a href="/docs">the reference</a>.</p></main></noscript>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>`,
    { styled: false },
  )
