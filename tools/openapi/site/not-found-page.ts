import { html } from 'hono/html'
import { renderSitePage } from './page-frame.ts'

/** The page for unknown paths, for browsers. */
export const renderNotFoundPage = () =>
  renderSitePage(
    { title: 'Page not found', description: 'The address leads to no page of this service.' },
    html`<header>
<h1>Page not found</h1>
<p>The address leads to no page of this service. It may be mistyped, or a link may be old.</p>
</header>
<main>
<ul class="links">
<li><a href="/t">Menu</a><span>type the code that is printed on your table</span></li>
<li><a href="/console">Console</a><span>sign in to your venue</span></li>
<li><a href="/docs">API reference</a><span>all operations, fields and limits</span></li>
<li><a href="/docs/guides">Guides</a><span>keys, errors, webhooks, orders, tools, going live</span></li>
<li><a href="/">Start</a><span>what the service does</span></li>
</ul>
</main>`,
  )
