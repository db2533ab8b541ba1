/** Rules of the hosted menu. */
export const menuStyles = `
h3{font-size:1.375rem}
figure{margin:0;font-size:0;line-height:0}
img{min-width:104px;max-width:104px;aspect-ratio:1;object-fit:cover;border-radius:var(--r);background:var(--tint)}
.logo>img{min-width:3rem;max-width:3rem;object-fit:contain;border-radius:.3rem;background:none}
@media (prefers-color-scheme:dark){.logo>img{background:#fdfbf7}}
.tag{max-width:42%;text-align:end;line-height:1.25}
.tag li{color:var(--soft);font-size:.875rem;white-space:pre-line}
.tag li:first-child{color:var(--ink);font-size:1rem;font-weight:600}
.lang{position:relative}
.lang summary{padding:.35rem 0 .35rem .25rem;font-weight:600;text-transform:uppercase}
.lang>summary::before,.jump>summary::before{content:none!important}
.lang summary::after{content:" \\25BE"}
.lang ul{position:absolute;z-index:3;inset-inline-end:0;min-width:9rem;padding:.4rem;background:var(--card);border:1px solid var(--line);border-radius:.5rem;box-shadow:0 .5rem 1.5rem #0003}
.lang a{display:block;padding:.5rem .6rem;color:var(--ink);text-decoration:none;white-space:nowrap}
header .lang ul a{color:var(--ink)}
[aria-current]{color:var(--mark);font-weight:600}
footer{margin-top:3rem;padding-top:2rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9375rem;text-align:center}
address{font-style:normal}
address a{color:inherit;display:inline-block;padding:.2rem 0}
.menu+.menu{margin-top:3.5rem}
.about{padding:1.25rem 0 0}
.about p{color:var(--soft);margin-top:.25rem}
footer .about{padding:0 0 1rem}
.banner>img{min-width:100%;max-width:100%;max-height:40vh;aspect-ratio:5/2;border-radius:0}
.icon>img{min-width:56px;max-width:56px}
.icon+h2{margin-top:.6rem}
.bar{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;background:var(--paper);border-bottom:1px solid var(--line)}
.bar ul{display:flex;flex:1 1 0;min-width:0;overflow-x:auto;scrollbar-width:none;position:relative;scroll-target-group:auto}
.bar li{flex:none}
.bar li:focus-within{position:sticky;inset-inline:0;z-index:1;background:var(--paper)}
.bar li a{display:block;max-width:70vw;padding:.75rem .6rem;overflow:hidden;color:var(--ink);text-decoration:none;text-overflow:ellipsis;white-space:nowrap;border-bottom:2px solid transparent}
.bar li:first-child a{padding-inline-start:0}
.bar .m{font-weight:700}
.bar li+li>.m{margin-inline-start:.6rem;padding-inline-start:1.2rem;border-inline-start:1px solid var(--line)}
:is(.bar [aria-current],.bar:not(.js) :target-current){color:var(--mark);border-bottom-color:var(--mark)}
.jump summary{display:grid;place-items:center start;width:2.75rem;height:2.9rem;padding:0;color:var(--ink)}
.jump summary::after{content:"";width:1.15rem;height:.8rem;background:repeating-linear-gradient(currentColor 0 .125rem,transparent .125rem .3125rem)}
.jump[open] summary::after{content:"\\2715";width:auto;height:auto;background:none;font-size:1.25rem;line-height:1}
.bar input{display:none}
.jump[open]~input:not([hidden]){display:block;flex:1 1 8rem;min-width:0;max-width:none;margin:.3rem 0;padding:.4rem .8rem;font-size:1rem;text-align:start;text-transform:none}
.jump[open]~ul{flex:1 0 100%;flex-wrap:wrap;max-height:45vh;overflow:hidden auto;padding-bottom:.5rem}
.jump[open]~ul a{padding:.6rem .75rem .6rem 0;max-width:90vw;margin:0;border:0;white-space:normal}
.jump[open]~ul li:has(.m){flex:1 0 100%}
.jump[open]~output:not([hidden])~ul{display:none}
html:has(.jump[open]){scroll-padding-top:calc(45vh + 4rem)}
html:has(.long){scroll-behavior:auto}
.bar output{align-self:center;padding-inline-start:.75rem;color:var(--soft)}
nav a:hover{color:var(--mark)}
@media (hover:hover){.bar ul{scrollbar-width:thin;scrollbar-color:var(--line) transparent}}
main{overflow-x:clip}
section{padding-top:2rem}
section>p{color:var(--soft);margin-top:.2rem}
.dish{display:flow-root;padding:.95rem 0;border-bottom:1px solid var(--line);break-inside:avoid}
.dish>div{display:flex;flex-wrap:wrap;column-gap:1rem}
.dish>div>b{flex:1 1 8rem;min-width:0;font-weight:600;font-size:1.0625rem;line-height:1.35;text-wrap:pretty}
.dish>div>span{margin-inline-start:auto;font-variant-numeric:lining-nums tabular-nums;text-align:end}
.dish>div>span>span{display:inline-block}
.dish>div>b small{margin-inline-start:.4rem;font-weight:400;color:var(--mark)}
.out>div,.out>p{opacity:.6}.out img{filter:grayscale(1);opacity:.6}
@media screen{.filter summary,.dish details:not(.pics)>summary{padding-block:.65rem;margin-block:-.35rem}.long .dish{content-visibility:auto;contain-intrinsic-size:auto 6.5rem}.long .dish:not(:has(p,.pics,details)){contain-intrinsic-size:auto 3.4rem}}
.pics:not([open]){float:inline-end;margin-inline-start:1rem}
.pics>summary{display:block;padding:0;font-size:0;line-height:0}
.pics>summary::before{content:none}
.pics[open]>summary{padding-bottom:.6rem;font-size:1.25rem;line-height:1.5;text-align:end}
.pics[open]>summary::before{content:"\\2715"}
.pics[open]>summary>img{display:none}
.pics figure+figure{margin-top:.6rem}
.pics figure>img{min-width:100%;max-width:100%;aspect-ratio:auto}
.dish>div>span,dd b{unicode-bidi:plaintext}
.dish p{color:var(--soft);margin-top:.2rem}
.dish .food{font-size:.875rem}
.filter{padding-block:.5rem 0}
.filter ul{display:flex;flex-wrap:wrap;gap:.5rem;padding:.25rem 0 .75rem}
.filter li{max-width:100%}
.filter a,.on a{display:block;padding:.6rem .9rem;border:1px solid var(--line);border-radius:2rem;color:var(--ink);text-decoration:none;font-size:.9375rem}
.filter [aria-current],.on a{background:var(--mark);color:var(--paper);border-color:var(--mark)}
.on{position:sticky;top:2.95rem;z-index:1;display:flex;flex-wrap:wrap;align-items:center;gap:.4rem .6rem;padding-block:.4rem;background:var(--paper);border-bottom:1px solid var(--line)}
html:has(.on){scroll-padding-top:7rem}
.dish dl{clear:both}
dl{padding-inline-start:1em;font-size:.9375rem}
dt{font-weight:600;margin-top:.3rem}
dt small{font-weight:400}
dt:has(a),dt:has(a)+dd{display:inline-block;margin-inline-end:.4em}
dt a{color:inherit}
dd{display:flex;flex-wrap:wrap;gap:0 .5em;align-items:baseline;margin:0;color:var(--soft)}
dd>*{min-width:0}
dd.in{padding-inline-start:1.2em}
.no>bdi:first-child{text-decoration:line-through}
.dish .ask{color:var(--ink)}
sup{line-height:0}
dd b{margin-inline-start:auto;font-weight:400;font-variant-numeric:tabular-nums}
.menu>details>summary{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .25rem;align-items:baseline;padding:.9rem 0;border-block:1px solid var(--line);color:var(--ink)}
.menu>details>summary::before{color:var(--mark)}
.menu>details>summary>h2{grid-column:1/-1;order:-1}
.menu>details>summary>small{font-size:1rem}
.menu:has(>details)+.menu>details{margin-top:-3.5rem}
.menu:has(>details)+.menu>details>summary{border-top:0}
main>.say{margin-top:1rem;padding:.8rem 1rem;border-radius:var(--r);background:var(--tint);text-align:start}
main>.say p{color:var(--ink);font-size:1rem}
.acts{position:sticky;bottom:0;z-index:2;display:flex;flex-wrap:wrap;gap:.5rem;max-height:45vh;overflow-y:auto;padding-block:.5rem max(.5rem,env(safe-area-inset-bottom));background:var(--paper);border-top:1px solid var(--line)}
.acts:not(:has(a,button:not([hidden]))){display:none}
.acts form{display:contents}
.acts a,.acts button{flex:1 1 auto;padding:.65rem 1rem;border:1px solid var(--mark);border-radius:var(--r);background:none;color:var(--mark);font-weight:600;text-align:center;text-decoration:none}
.acts a{background:var(--mark);color:var(--paper)}
@media (max-width:15em){.acts a,.acts button{flex:1 1 40%;padding:.4rem .2rem;font-size:.75rem}}
.acts p{display:none;flex:1 0 100%;font-weight:600}
.asked-call>.call,.asked-bill>.bill{display:block!important}
html:has(.acts){scroll-padding-bottom:6rem}
body:has(.acts :is(a,button:not([hidden]))){padding-bottom:0}
body:has(.acts) footer{padding-bottom:2rem}
@media screen and (min-width:56.25em){body>*{padding-inline:max(2rem,50% - 34rem)}h1{font-size:1.75rem}
section>ul{display:grid;grid-template-columns:1fr 1fr;column-gap:4rem}.dish img{min-width:136px;max-width:136px}.pics figure>img{min-width:100%;max-width:100%}
.menu>details>summary{grid-template-columns:auto auto 1fr}.menu>details>summary>h2{grid-column:1;margin-inline-end:.75rem}.acts{justify-content:center}.acts a,.acts button{flex:0 1 15rem}.banner>img{aspect-ratio:4/1;border-radius:var(--r)}.banner{margin-top:1.5rem}.banner+*{margin-top:1.25rem}}
@media screen and (max-width:34em){h1.long{font-size:1.0625rem}}
@media screen and (max-width:56.24em){.banner{margin-inline:calc(-1*max(clamp(12px,5vw,32px),50vw - 21rem))}.about:has(.banner){padding-top:0}.banner+*{margin-top:1.25rem}}
@media screen and (max-width:16em){.acts,.on{position:static}}
@media (forced-colors:active){.jump summary::after{forced-color-adjust:none;background:repeating-linear-gradient(CanvasText 0 .125rem,transparent .125rem .3125rem)}.jump[open] summary::after{background:none;color:CanvasText}.bar [aria-current],.on a{outline:2px solid;outline-offset:-2px}}
@media print{html{font-size:9.5pt}body{padding:0}body>*{padding-inline:0}h1{font-size:2.2rem}.bar,.acts,.filter,.on,.lang,figure:not(.logo),.pics,[rel=next],form{display:none}
main:not(.sheet){columns:2;column-gap:2.5rem}.menu+.menu,.menu:has(>details)+.menu>details{margin-top:1.5rem}section{padding-top:1rem}
h2,h3,.about,section>p,.menu>details>summary{break-after:avoid;break-inside:avoid}.dish{padding:.4rem 0}.dish:has(dt[id]){break-inside:auto}
.test{border:2px solid #000;background:none;color:#000}
details::details-content{content-visibility:visible;height:auto}
summary{list-style:none}summary::before,.menu>details>summary::before{content:none}
.dish summary,.dish details:not(:has([id])) dl,dt:has(a)+dd{display:none}dt a{text-decoration:none}.dish details:not(:has([id])) summary{display:block;padding:0;color:var(--soft)}
dd{break-inside:avoid}dt{break-after:avoid}}
`.replace(/\n/g, '')
