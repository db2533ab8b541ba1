import { html } from 'hono/html'
import { findLink, renderSitePage } from './page-frame.ts'

/** The page at the root of the service. */
export const renderLandingPage = () =>
  renderSitePage(
    {
      title: 'Merchant Ordering API',
      description: 'An API for products, menus, tables and webhooks of restaurants, cafés and bars.',
    },
    html`<header>
${findLink}<h1>Merchant Ordering API</h1>
<p>Products, menus, tables and webhooks of restaurants, cafés and bars.</p>
</header>
<main>
<p>The API stores the products, modifiers, menus, coupons and customers of a venue, and the tags on its tables. Webhooks
notify a point of sale of every change. Guests scan a tag and see the menu. Integrations use JSON over HTTP.</p>
<p><a href="/console">Sign in to the console</a> to manage your venue.</p>
<h2>Documentation</h2>
<ul class="links">
<li><a href="/docs/guides/quickstart">Quickstart</a><span>a menu, a table and events in ten minutes</span></li>
<li><a href="/docs">API reference</a><span>all operations, fields and limits</span></li>
<li><a href="/docs/try">Try requests</a><span>send requests with an API key, in the browser</span></li>
<li><a href="/docs/guides">Guides</a><span>keys, errors, webhooks, orders, tools, going live</span></li>
<li><a href="/docs/errors">Errors</a><span>the meaning of each error code</span></li>
<li><a href="/event-types">Events</a><span>all event types with schema and sample, as JSON</span></li>
<li><a href="/openapi.json">OpenAPI document</a><span>for client generators</span></li>
<li><a href="/llms.txt">llms.txt</a><span>a summary for language models</span></li>
</ul>
<h2>First request</h2>
<p>The operator of the service provides the id of a merchant and an API key. A test key accesses test objects only.</p>
<pre tabindex="0" role="region" aria-label="A first request"><code>curl -H 'Authorization: Bearer sk_test_…' \\
  https://…/merchants/mer_…/products</code></pre>
</main>`,
  )
