import { html, raw } from 'hono/html'
import { callKinds } from '../../../../platform/db/schema/resources/tag-requests.ts'
import type { Html } from '../../../pages/page.ts'
import type { Phrases } from '../../../pages/phrases.ts'
import type { PublicMenu } from '../../public-menu.ts'
import { callsEnd, callsStart, seatMark } from './seat-marks.ts'

/** Where the bar leads. */
export interface ActOptions {
  /** Address of the ordering system; undefined without one. */
  orderUrl: string | undefined
  /** Language that the address of the page asks for. */
  requestedLanguage: string | undefined
}

const answers = { call: 'called', bill: 'billed' } as const

/** Renders the form of calls as a comment, which `fillSeat` opens for guests with a seat. */
function renderCalls({ venue, tag }: PublicMenu, { messages }: Phrases, { orderUrl, requestedLanguage }: ActOptions) {
  const kinds = callKinds.filter((kind) => venue.menuBar?.actions?.includes(kind))
  if (!tag || orderUrl !== undefined || kinds.length === 0) return ''
  const query = requestedLanguage === undefined ? '' : `?${new URLSearchParams({ lang: requestedLanguage })}`
  const form = html`<form method="post" action="/m/${venue.id}/requests${query}"><input type="hidden" name="tag" value="${tag.id}"><input type="hidden" name="seat" value="${seatMark}">${kinds.map((kind) => html`<p class="${kind}" role="status">${messages[answers[kind]]}</p><button name="kind" value="${kind}">${messages[kind]}</button>`)}</form>`
  const channels = venue.menuBar?.requireTap ? 'nfc' : 'any'
  return html`${raw(`${callsStart}${channels}>`)}${form}${raw(callsEnd)}`
}

/** Renders the bar at the end of the menu; empty if the venue has switched nothing on that this page can do. */
export function renderActs(menu: PublicMenu, phrases: Phrases, options: ActOptions): Html | '' {
  const { messages, isForeign, language } = phrases
  const actions = menu.venue.menuBar?.actions ?? []
  const calls = renderCalls(menu, phrases, options)
  const order =
    actions.includes('order') && options.orderUrl !== undefined
      ? html`<a href="${options.orderUrl}">${messages.order}</a>`
      : ''
  const share = actions.includes('share')
    ? html`<button type="button" class="share" hidden>${messages.share}</button>`
    : ''
  if (`${calls}${order}${share}` === '') return ''
  const lang = isForeign ? html` lang="${language}"` : ''
  return html`<aside class="acts" aria-label="${messages.service}"${lang}>${order}${calls}${share}</aside>`
}
