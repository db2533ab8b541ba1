import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Availability } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { useChanges } from '../../app/frame/pulse.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'

export interface SoldOutProduct {
  id: string
  title: string
  mark: Availability
}

/** Maximum number of sold-out products that are read. */
const maxSoldOut = 1_000

export async function readSoldOut(signal?: AbortSignal): Promise<SoldOutProduct[]> {
  const found: SoldOutProduct[] = []
  for await (const { product, title, soldOut, until } of api().stock.list({ limit: 100 }, signal ? { signal } : {})) {
    found.push({ id: product, title, mark: { soldOut, ...(until === undefined ? {} : { until }) } })
    if (found.length === maxSoldOut) break
  }
  return found
}

/** A tap that could not be sent, for a product or for an option of a modifier. */
export interface WaitingTap extends Availability {
  id: string
  modifier?: string
  title: string
  /** Makes the tap take effect once, even if a request whose response was lost is sent again. */
  key: string
  /** When it was made, in milliseconds. */
  at: number
}

/** The availability of products in the service, by id. */
export const storedMarks = signal<ReadonlyMap<string, Availability>>(new Map())
/** Marks that were stored here since the last load started, because its response may be older. */
export const recentMarks = new Map<string, Availability>()
export const waitingTaps = signal<readonly WaitingTap[]>([])
/** The last tapped marks, by id of the product, until their response arrives. */
export const tappedMarks = signal<ReadonlyMap<string, Availability>>(new Map())
/** The availability of products shown as sold out, by id. */
export const soldOut = computed<ReadonlyMap<string, Availability>>(() => {
  const waiting = waitingTaps.value.flatMap((tap): [string, Availability][] => (tap.modifier ? [] : [[tap.id, tap]]))
  return new Map([...storedMarks.value, ...waiting, ...tappedMarks.value].filter(([, mark]) => mark.soldOut))
})

/** Notes a mark that the service has stored. */
export function noteMark(id: string, mark: Availability): void {
  recentMarks.set(id, mark)
  storedMarks.value = new Map(storedMarks.value).set(id, mark)
}

/** Until when a product is sold out, in words. */
export function describeUntil(until: Availability['until'], isOut: boolean): string {
  const { soldOut: texts } = t()
  if (until === undefined) return isOut ? texts.noStock : ''
  return until === 'further_notice' ? texts.untilFurther : texts.untilTime(formatTime(until))
}

/** "Sold out until further notice", or undefined while the product is available. */
export function describeSoldOut(id: string): string | undefined {
  const mark = soldOut.value.get(id)
  return mark && t().soldOut.state(describeUntil(mark.until, true))
}

async function load(): Promise<void> {
  if (!hasScope('stock:read')) return
  const found = await readSoldOut()
  storedMarks.value = new Map(found.map(({ id, mark }) => [id, mark]))
}

let firstRead: Promise<void> | undefined
const read = () => load().catch(() => undefined)
/** Waits until it is known which products are sold out. */
export const whenMarksRead = () => (firstRead ??= read())

/** Reads which products are sold out, and follows changes of others. A list is still useful without it. */
export function useSoldOut(): void {
  useEffect(() => {
    firstRead = read()
  }, [])
  useChanges(['stock'], read)
}
