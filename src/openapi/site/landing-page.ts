import { html } from 'hono/html'
import { renderSitePage } from './page-frame.ts'

/** What somebody sees who opens the address of the service: what it is, and where to read on. */
export const renderLandingPage = () =>
  renderSitePage(
    'Merchant Ordering API',
    html`<header>
<h1>Merchant Ordering API</h1>
<p>What a venue sells, where its guests sit, and who is told when something happens.</p>
</header>
<main>
<p>Restaurants, cafés and bars keep their products, modifiers, menus and coupons here, their customers, the tags on their
tables, and the webhooks by which a point of sale hears of every change. Guests meet a redirect and a menu; integrators
meet JSON over HTTP.</p>
<h2>Read</h2>
<ul class="links">
<li><a href="/docs">API reference</a><span>every operation, field and limit, to try with a key</span></li>
<li><a href="/docs/errors">Errors</a><span>what each code means</span></li>
<li><a href="/event-types">Events</a><span>each type with its schema and a sample, as JSON</span></li>
<li><a href="/openapi.json">OpenAPI document</a><span>for generators of clients</span></li>
<li><a href="/llms.txt">llms.txt</a><span>the same in short, for language models</span></li>
</ul>
<h2>Start</h2>
<p>Whoever runs the service gives you a merchant's id and an API key. A test key sees and makes test objects only.</p>
<pre tabindex="0" role="region" aria-label="A first request"><code>curl -H 'Authorization: Bearer sk_test_…' \\
  https://…/merchants/mer_…/products</code></pre>
</main>`,
  )
