import { html } from 'hono/html'
import { look } from '../scan/look.ts'

/** Text that is safe as HTML: made by `html`, which escapes whatever is put into it. */
export type Html = ReturnType<typeof html>

/** The look of guests' pages, and what only documentation has. */
export const documentationLook = `${look}
header{text-align:start}
main{max-width:42rem}
h2{margin:2.5rem 0 .5rem}
h3{margin:1.75rem 0 .25rem}
main p{white-space:normal;margin:.6rem 0}
main a{color:var(--mark)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9375em}
dl{padding:0}
dt{margin-top:.75rem}
dd{display:block;margin:0}
:target{outline:2px solid var(--mark);outline-offset:.4rem;border-radius:.2rem}
`

/** What stands in backticks is code. */
export const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))

/** A page of the documentation. */
export const page = async (title: string, body: Html): Promise<string> =>
  (
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<meta name="theme-color" content="#fdfbf7" media="(prefers-color-scheme:light)">
<meta name="theme-color" content="#171411" media="(prefers-color-scheme:dark)">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/look.css">
</head>
<body>
${body}
</body>
</html>
`
  ).toString()
