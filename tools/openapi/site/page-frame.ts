import { html } from 'hono/html'
import { icon } from '../../../src/storefront/pages/page.ts'
import { styles } from '../../../src/storefront/pages/styles.ts'

/** HTML made by `html`, which escapes all values. */
export type SiteHtml = ReturnType<typeof html>

/** The styles of the guests' pages, extended for the documentation. */
export const siteStyles = `${styles}
html{scroll-behavior:auto}
header{text-align:start;padding-bottom:.5rem}
header p{font-size:1.25rem;color:var(--soft);margin-top:.5rem}
header a{color:var(--soft);font-size:.9375rem}
h2{margin:2.5rem 0 .5rem}
h3{margin:1.75rem 0 .25rem}
main p{white-space:normal;margin:.6rem 0}
main a{color:var(--mark)}
.links li{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.6rem 0;border-bottom:1px solid var(--line)}
.links a{flex:0 0 11rem;font-weight:600}
.links span{color:var(--soft)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9375em}
pre{padding:.9rem 1.1rem;background:var(--tint);border-radius:.6rem;overflow-x:auto}
dl{padding:0}
dt{margin-top:.75rem}
dd{display:block;margin:0}
.table{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse}
th,td{padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
.guide ul,.guide ol{padding-inline-start:1.25rem;list-style:disc}
.guide ol{list-style:decimal}
.guide li{margin:.3rem 0}
.guide img{min-width:0;max-width:100%;height:auto;aspect-ratio:revert-layer}
.guide :not(pre)>code{overflow-wrap:anywhere}
.reference>nav{top:0;z-index:2}
.reference article{padding:.5rem 0 1rem;border-bottom:1px solid var(--line)}
@media screen{.reference article,#schemas>section,#schemas>dl{content-visibility:auto;contain-intrinsic-size:auto 30rem}#schemas>.tall{contain-intrinsic-size:auto 60rem}#schemas>.taller{contain-intrinsic-size:auto 110rem}#schemas>dl{contain-intrinsic-size:auto 300rem}}
.reference dl{padding-inline-start:1rem}
.reference dd{display:block}
.reference .toc{columns:2;column-gap:1.5rem;font-size:.9375rem}
.reference .toc a{display:block;padding:.15rem 0}
.reference section,.reference article,.reference dt{scroll-margin-top:4rem}
.reference :target{scroll-margin-top:4rem;outline:0}
.reference :target>:is(h2,h3),dt:target{background:var(--tint)}
@media (max-width:40rem){.reference .toc{columns:1}}
@media (min-width:76rem){.reference>nav{position:fixed;inset:0 auto 0 0;width:14rem;margin:0;overflow-y:auto;border:0}.reference>nav ul{display:block;padding:1rem 0}.reference>nav a{padding:.25rem 1.25rem}}
.find{margin-inline-start:auto;padding:.35rem .8rem;border:1px solid var(--line);border-radius:2rem;text-decoration:none;white-space:nowrap}
header .find{font-size:.875rem}
.find kbd{font:inherit;color:var(--soft)}
header h1{flex-basis:100%}
.search{width:min(36rem,100vw - 2rem);max-height:80vh;margin:10vh auto auto;padding:1rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card);color:var(--ink);overflow-y:auto}
.search::backdrop{background:#0006}
.search input{max-width:none;font-size:1rem;text-align:start;text-transform:none}
.search p{min-height:1.5rem;padding:.25rem 0;color:var(--soft);font-size:.875rem}
.search li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.6rem .75rem;border-radius:.4rem;cursor:pointer}
.search li[aria-selected]{background:var(--tint);outline:2px solid transparent}
:target{scroll-margin-top:1.5rem;outline:2px solid var(--mark);outline-offset:.4rem;border-radius:.2rem}
`

/** A guide; both parts are HTML. */
export interface Guide {
  title: string
  content: string
}

/** Text with code in backticks, as HTML. */
export const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))

/** Opens the search. Without a script it leads to the list of pages. */
export const findLink = html`<a class="find" href="/docs/guides" aria-keyshortcuts="/ Control+K Meta+K">Search <kbd>/</kbd></a>`

/** A page of the documentation. Search engines show its description. */
export const renderSitePage = async (
  { title, description }: { title: string; description: string },
  body: SiteHtml,
  { styled = true } = {},
): Promise<string> =>
  (
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="theme-color" content="#fdfbf7" media="(prefers-color-scheme:light)">
<meta name="theme-color" content="#171411" media="(prefers-color-scheme:dark)">
<link rel="icon" href="${icon}">
${
  styled
    ? html`<link rel="stylesheet" href="/docs/look.css">
<script src="/docs/search.js" defer></script>
`
    : ''
}</head>
<body>
${body}
</body>
</html>
`
  ).toString()
