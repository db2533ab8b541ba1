/** Rules of all pages for guests. Colors, fonts and corners are those of the design. */
export const baseStyles = `
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;background:var(--paper);scroll-padding-top:3.5rem}
body{color:var(--ink);font:1rem/1.5 var(--text);overflow-wrap:anywhere;padding:0 env(safe-area-inset-right) 4rem env(safe-area-inset-left)}
body>*{padding-inline:max(clamp(12px,5vw,32px),50% - 21rem)}
h1,h2,h3{font-family:var(--display);font-weight:var(--weight);line-height:1.15;text-wrap:balance}
h1,h2,h3,b,dt{hyphens:auto;hyphenate-limit-chars:12 5 5}
h1{font-size:1.375rem;flex:1 1 6.5rem;min-width:0}
h2{font-size:clamp(1.5rem,9vw,1.75rem)}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem .6rem;padding-block:.7rem}
ul,dl{list-style:none;padding:0}
.test{padding-block:.5rem;background:var(--mark);color:var(--paper);text-align:center;font-weight:600}
p{white-space:pre-line}
a:focus-visible,summary:focus-visible,button:focus-visible,input:focus-visible{outline:2px solid var(--mark);outline-offset:-2px;border-radius:.3rem}
small{unicode-bidi:plaintext}
small{font-size:.875rem;color:var(--soft)}
header a{color:inherit}
summary{display:inline-block;padding:.3rem 0;color:var(--mark);font-size:.9375rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"+";display:inline-block;width:1em;margin-inline-end:.15em;font-weight:600}
details[open]>summary::before{content:"\\2212"}
.say{padding-block:18vh;text-align:center}
.say h1{margin-bottom:1rem;font-size:clamp(1.75rem,8vw,2.5rem)}
button{font:inherit;font-weight:600;padding:.75rem 1.25rem;border:0;border-radius:var(--r);background:var(--mark);color:var(--paper);cursor:pointer}
input{font:inherit;font-size:1.25rem;width:100%;max-width:22rem;padding:.7rem 1rem;border:1px solid var(--soft);border-radius:var(--r);background:var(--tint);color:var(--ink);text-align:center;text-transform:uppercase}
button:disabled{background:var(--line);color:var(--soft)}
.plain{background:none;color:var(--soft);border:1px solid var(--line)}
[hidden]{display:none!important}
.say p{color:var(--soft);font-size:1.125rem;text-wrap:balance}
.say a{display:inline-block;padding:1rem;color:var(--mark)}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media (prefers-contrast:more){:root{--soft:var(--ink);--line:var(--ink)}}
`.replace(/\n/g, '')
