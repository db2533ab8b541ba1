/** Style sheet of all pages for guests, light and dark. It loads no fonts. */
export const styles = `
:root{color-scheme:light dark;--paper:#fdf9f3;--ink:#211c16;--soft:#665c50;--line:#e7dfd2;--mark:#9a3b12;--tint:#f6efe4;
--serif:"Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L","Book Antiqua",Georgia,serif}
@media (prefers-color-scheme:dark){:root{--paper:#171310;--ink:#f1ebe2;--soft:#b5a998;--line:#352e27;--mark:#f0a36b;--tint:#241f1a}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;background:var(--paper)}
body{max-width:42rem;margin:0 auto;padding:0 clamp(1rem,5vw,2rem) 4rem;color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
h1,h2,h3{font-family:var(--serif);font-weight:600;line-height:1.2;text-wrap:balance}
h1{font-size:clamp(1.9rem,8vw,2.75rem);letter-spacing:-.01em}
h2{font-size:1.6rem}
h3{font-size:1.3rem;color:var(--mark)}
header{padding:2.25rem 0 1.5rem;text-align:center}
ul,dl{list-style:none;padding:0}
figure{margin:0;font-size:0;line-height:0}
img{min-width:88px;max-width:88px;aspect-ratio:1;object-fit:cover;border-radius:.6rem;background:#f6efe4}
.test{margin:0 calc(50% - 50vw);padding:.6rem 1rem;background:var(--mark);color:var(--paper);text-align:center;font-weight:600}
.logo>img{margin-bottom:.9rem;min-width:11rem;max-width:11rem;aspect-ratio:2;object-fit:contain;border-radius:.4rem;background:none}
@media (prefers-color-scheme:dark){.logo>img{background:#fdf9f3}}
address{margin-top:.9rem;color:var(--soft);font-style:normal;font-size:.9375rem}
address a{color:inherit;display:inline-block;padding:.15rem 0;overflow-wrap:anywhere}
.tag{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:center;margin-top:.9rem}
.languages a{color:var(--ink);text-decoration:none}
.languages [aria-current]{color:var(--mark);font-weight:600}
.tag li{max-width:100%;padding:.2rem .9rem;border:1px solid var(--line);border-radius:2rem;color:var(--soft);white-space:pre-line}
.menu{scroll-margin-top:1rem}
.menu+.menu{margin-top:3.5rem}
.about{text-align:center;padding:1rem 0}
.icon+h2{margin-top:.8rem}
.banner>img{min-width:100%;max-width:100%;aspect-ratio:5/2;border-radius:0;clip-path:inset(0 0 .8rem round .6rem)}
.icon>img{min-width:56px;max-width:56px}
.about p{color:var(--soft);max-width:34rem;margin:.3rem auto 0}
p{white-space:pre-line}
nav{position:sticky;top:0;z-index:1;margin:0 calc(-1*clamp(1rem,5vw,2rem));background:var(--paper);border-bottom:1px solid var(--line)}
nav ul{display:flex;overflow-x:auto;padding:0 clamp(.25rem,4vw,1.25rem);scrollbar-width:none}
nav li{flex:none}
nav li:focus-within{position:sticky;inset-inline:0;z-index:1;background:var(--paper)}
nav li:first-child{margin-inline-start:auto}
nav li:last-child{margin-inline-end:auto}
nav a{display:block;max-width:80vw;padding:.75rem;overflow:hidden;color:var(--ink);text-decoration:none;text-overflow:ellipsis;white-space:nowrap}
.menus{position:static;border:0;margin-bottom:1rem}
.menus ul{gap:.5rem}
.menus a{border:1px solid var(--line);border-radius:2rem;padding:.35rem 1rem}
nav a:hover{color:var(--mark)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--mark);outline-offset:-2px;border-radius:.4rem}
@media (hover:hover){nav ul{scrollbar-width:thin;scrollbar-color:var(--line) transparent}}
section{padding-top:2rem;scroll-margin-top:3.5rem}
section>p{color:var(--soft);margin-top:.2rem}
.dish{display:flex;flex-wrap:wrap;column-gap:1.25rem;padding:.9rem 0;border-bottom:1px solid var(--line);break-inside:avoid}
.dish:last-child{border:0}
@media screen{.long .dish{content-visibility:auto;contain-intrinsic-size:auto 6.5rem}.long .dish:not(:has(p,.pics,details)){contain-intrinsic-size:auto 3.4rem}}
.dish>b{flex:1 1 8rem;min-width:0;font-weight:600;font-size:1.0625rem}
.dish>span{margin-inline-start:auto;font-variant-numeric:tabular-nums;white-space:nowrap;text-align:end}
.dish>span:has(span){white-space:normal}.dish>span>span{white-space:nowrap}
.dish>b small{margin-inline-start:.4rem;font-weight:400;color:var(--mark)}
.dish>div{flex:0 0 100%;min-width:0;display:flow-root}
.pics:not([open]){float:inline-end;margin-inline-start:1.25rem}
.dish .pics{margin-top:0}
.pics>summary{display:block;padding:0;font-size:0;line-height:0}
.pics>summary::before{content:none}
.pics[open]>summary{padding-bottom:.6rem;font-size:1.25rem;line-height:1.5;text-align:end}
.pics[open]>summary::before{content:"\\2715"}
.pics[open]>summary>img{display:none}
.pics figure+figure{margin-top:.6rem}
.pics figure>img{min-width:100%;max-width:100%;aspect-ratio:auto}
.dish p{color:var(--soft);margin-top:.15rem}
small,.dish>span,dd b{unicode-bidi:plaintext}
small{font-size:.875rem;color:var(--soft)}
.dish p small{white-space:nowrap}
.dish .food{font-size:.875rem}
.filter{margin-bottom:1rem;text-align:center}
.filter ul{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:center;padding-top:.5rem}
.filter li{max-width:100%}
.filter a{display:block;overflow-wrap:anywhere;padding:.35rem 1rem;border:1px solid var(--line);border-radius:2rem;color:var(--ink);text-decoration:none}
.filter [aria-current]{background:var(--mark);color:var(--paper)}
.sheet{container-type:inline-size;overflow-x:auto;margin-inline:calc(50% - min(50vw - 1rem,32rem))}
table{border-collapse:collapse;margin:0 auto;font-size:.875rem}
th,td{padding:.25rem .4rem;border-bottom:1px solid var(--line);text-align:center}
tbody th{text-align:start;min-width:9rem;overflow-wrap:anywhere}
thead th{vertical-align:bottom}
thead span{display:inline-block;writing-mode:vertical-rl}
thead span::first-letter{text-transform:uppercase}
header a{color:inherit}
@media screen{@container (max-width:42rem){thead,td:empty{display:none}
tr,tbody th{display:block}table{width:100%}tr{padding:.5rem 0;border-bottom:1px solid var(--line)}tbody th,td{border:0;padding:0;text-align:start}
td{display:inline-block;margin-inline-end:.9em}td[data-name]::after{content:" " attr(data-name)}}}
.dish details{margin-top:.15rem}
.dish dl{clear:both}
summary{display:inline-block;padding:.3rem 0;color:var(--mark);font-size:.9375rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"+";display:inline-block;width:1em;margin-inline-end:.15em;font-weight:600}
details[open]>summary::before{content:"\\2212"}
dl{padding-inline-start:1em;font-size:.9375rem}
dt{font-weight:600;margin-top:.3rem;scroll-margin-top:4rem}
dt small{font-weight:400}
dt:has(a),dt:has(a)+dd{display:inline-block;margin-inline-end:.4em}
dt a{color:inherit}
dd{display:flex;flex-wrap:wrap;gap:0 .5em;align-items:baseline;color:var(--soft)}
dd.in{padding-inline-start:1.2em}
.no>bdi:first-child{text-decoration:line-through}
.dish .ask{color:var(--ink)}
sup{line-height:0}
th small{display:block;font-weight:400}
dd b{margin-inline-start:auto;font-weight:400;font-variant-numeric:tabular-nums;white-space:nowrap}
.menu>details>summary{display:flex;flex-wrap:wrap;gap:0 .75rem;align-items:baseline;padding:.9rem 0;border-block:1px solid var(--line);color:var(--ink)}
.menu>details>summary::before{color:var(--mark)}
.menu>details>summary>small{font-size:1rem}
.menu:has(>details)+.menu>details{margin-top:-3.5rem}
.menu:has(>details)+.menu>details>summary{border-top:0}
.say{padding:18vh 0;text-align:center}
.say h1{margin-bottom:1rem}
button{font:inherit;font-weight:600;padding:.8rem 1.5rem;margin:.5rem 0;border:0;border-radius:.6rem;background:var(--mark);color:var(--paper)}
input{font:inherit;font-size:1.25rem;width:100%;max-width:22rem;padding:.7rem 1rem;border:1px solid var(--soft);border-radius:.6rem;background:var(--tint);color:var(--ink);text-align:center;text-transform:uppercase}
button:disabled{background:var(--line);color:var(--soft)}
.plain{background:none;color:var(--soft);border:1px solid var(--line)}
[hidden]{display:none}
.say p{color:var(--soft);font-size:1.125rem;text-wrap:balance}
.say a{display:inline-block;padding:1rem;color:var(--mark)}
main>.say{padding:1rem 0 3rem}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media (prefers-contrast:more){:root{--soft:var(--ink);--line:var(--ink)}}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#333;--line:#bbb;--mark:#000}
html{font-size:9.5pt}body{max-width:none;padding:0}header{padding:0 0 1rem}h1{font-size:2.2rem}nav,.filter,.languages,figure:not(.logo),.pics,[rel=next]{display:none}
main:not(.sheet){columns:2;column-gap:2.5rem}.menu+.menu,.menu:has(>details)+.menu>details{margin-top:1.5rem}section{padding-top:1rem}
h2,h3,.about,section>p,.menu>details>summary{break-after:avoid;break-inside:avoid}.dish{padding:.4rem 0}.dish:has(dt[id]){break-inside:auto}.dish>b,.dish>span{break-after:avoid}
.test{margin:0;border:2px solid #000;background:none;color:#000}
details::details-content{content-visibility:visible;height:auto}
summary{list-style:none}summary::before,.menu>details>summary::before{content:none}
.dish summary,.dish details:not(:has([id])) dl,dt:has(a)+dd{display:none}dt a{text-decoration:none}.dish details:not(:has([id])) summary{display:block;padding:0;color:var(--soft)}
dd{break-inside:avoid}dt{break-after:avoid}}
`.replace(/\n/g, '')
