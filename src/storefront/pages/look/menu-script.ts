/**
 * The script of a menu: shares it without the table of the guest, searches dishes as the guest types, marks the section in sight in the bar, stays at it
 * when the guest calls staff, and closes the opened bar after a jump. A guest who comes back to the page after 10 minutes gets the present menu, unless the
 * service cannot be reached: prices and allergens may have changed. Browsers keep the fragment of a form's address over a redirect. Without the script
 * the page has the links of the bar, and browsers that know `:target-current` mark the section themselves.
 */
export const menuScript = `(()=>{
const d=document,bar=d.querySelector('.bar'),share=d.querySelector('.share')
if(share&&navigator.share){share.hidden=false;share.onclick=()=>navigator.share({title:d.title,url:location.origin+location.pathname}).catch(()=>0)}
const shown=Date.now()
d.addEventListener('visibilitychange',()=>{if(!d.hidden&&Date.now()-shown>6e5)fetch(location,{method:'HEAD'}).then(r=>r.ok&&location.reload(),()=>0)})
if(!bar)return
bar.classList.add('js')
const list=bar.querySelector('ul'),jump=bar.querySelector('.jump'),field=bar.querySelector('input'),count=bar.querySelector('output')
const links=[...list.querySelectorAll('a[href^="#"]')].map(a=>[a,d.getElementById(a.hash.slice(1))])
let current,waits
const mark=()=>{waits=0;let found
for(const [a,e] of links)if(e&&e.getClientRects().length&&(!found||e.getBoundingClientRect().top<innerHeight*.3))found=a
if(found===current)return
current&&current.removeAttribute('aria-current');current=found
if(!found)return
found.setAttribute('aria-current','location')
const a=found.getBoundingClientRect(),u=list.getBoundingClientRect()
list.scrollBy({left:(a.left+a.right-u.left-u.right)/2,behavior:'instant'})}
addEventListener('scroll',()=>{waits||=requestAnimationFrame(mark)},{passive:true});mark()
const calls=d.querySelector('.acts form')
if(calls)calls.onsubmit=()=>{if(current)calls.action+=current.hash}
list.addEventListener('click',e=>{if(e.target.closest('a'))jump.open=false})
const fold=s=>s.normalize('NFD').replace(/\\p{M}/gu,'').toLowerCase()
const dishes=[...d.querySelectorAll('.dish')].map(e=>[e])
const hide=(all,q)=>{for(const e of d.querySelectorAll(all))e.hidden=q&&!e.querySelector('.dish:not([hidden])')}
field.hidden=false
field.oninput=()=>{const q=fold(field.value).split(/\\s+/).filter(Boolean);let n=0
for(const x of dishes){x[1]??=fold([...x[0].querySelectorAll(':scope>div,:scope>p')].map(e=>e.textContent).join(' '));n+=!(x[0].hidden=!q.every(w=>x[1].includes(w)))}
hide('section',q.length>0);hide('.menu',q.length>0)
for(const e of d.querySelectorAll('.menu>details'))if(q.length)e.open=true
count.hidden=!q.length;count.textContent=n}
})()`
  .replace(/\n(?=[}])/g, '')
  .replace(/\{\n/g, '{')
