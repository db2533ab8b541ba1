import type { AuditEntry, HourScans, ScanCount, StockException, Webhook } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { readHealth } from '../../app/delivery-health.ts'
import { isSupport, session } from '../../app/session.ts'
import { toLocalTime } from '../../app/time/zoned-time.ts'
import { type DeletedEntry, listRestorable, readDeleted } from '../../objects/history/restored.ts'

/** The part of the hosted menu's data about its hours. */
interface Hours {
  menus: readonly { id: string; title: string }[]
  closedMenus: readonly { id: string; title: string; nextServed: number }[]
  nextChangeAt?: number
}
/** The response is that of `GET /m/:merchantId.json`. */
const readHours = async (response: Response): Promise<Hours> => response.json()

/** The menus that are served now and later, as they are stored: guests can see a change some seconds later. */
export async function loadHours(): Promise<Hours> {
  // Support signs no addresses, and sees the menu as guests do.
  const query = isSupport() ? '' : new URL((await api().preview()).url).search
  const response = await fetch(`/m/${session.value?.merchant.id}.json${query}`)
  return response.ok ? readHours(response) : { menus: [], closedMenus: [] }
}

/** Number of counted days, including today. */
export const scanDays = 30
const dayMs = 86_400_000

export interface Scans {
  today: number
  total: number
  /** All days of the range, in order. */
  byDay: readonly { day: string; count: number }[]
  /** Hours of the day with scans, in order. */
  byHour: readonly HourScans[]
}

/** The scans of all tables. Days without scans are zero. */
export async function loadScans(): Promise<Scans> {
  const [counts, byHour]: [readonly ScanCount[], readonly HourScans[]] = await Promise.all([
    api().scans(),
    api().scansByHour(),
  ])
  const last = toLocalTime(Date.now() / 1000).slice(0, 10)
  const byDay = Array.from({ length: scanDays }, (_, index) => {
    const day = new Date(Date.parse(last) - (scanDays - 1 - index) * dayMs).toISOString().slice(0, 10)
    return { day, count: sum(counts.filter((each) => each.day === day)) }
  })
  return { today: byDay.at(-1)?.count ?? 0, total: sum(byDay), byDay, byHour }
}
const sum = (counts: readonly { count: number }[]) => counts.reduce((all, { count }) => all + count, 0)

/** Maximum number of webhooks whose deliveries are read. */
const maxWebhooks = 20

/** Webhooks that do not work: deliveries currently fail, or the service has deactivated them. */
export async function loadFailing(): Promise<{ count: number; off: number; failing: readonly Webhook[] }> {
  const { items } = await api().webhooks.list({ limit: maxWebhooks }).page()
  const states = await Promise.all(
    items.map(async (webhook) =>
      webhook.active ? (await readHealth(webhook)) === 'failing' : webhook.disabledReason !== undefined,
    ),
  )
  // Those that a person has switched off.
  const off = items.filter(({ active, disabledReason }) => !active && disabledReason === undefined).length
  return { count: items.length, off, failing: items.filter((_, index) => states[index]) }
}

/** Sold-out products, as many as fit. */
export const maxSoldOut = 8
export async function loadSoldOut(): Promise<{ items: readonly StockException[]; hasMore: boolean }> {
  const page = await api().stock.list({ limit: maxSoldOut }).page()
  return { items: page.items.filter(({ soldOut }) => soldOut), hasMore: page.cursor !== undefined }
}

/** Numbers of changes that are read, and that are shown. */
const changeCounts = { read: 40, shown: 10 }

/** The latest changes. */
export async function loadChanges(): Promise<readonly AuditEntry[]> {
  const page = await api().audit({ limit: changeCounts.read }).page()
  // Leaves out sign-ins, which are shown in the settings.
  return page.items.filter(({ operation }) => !operation.startsWith('sessions.')).slice(0, changeCounts.shown)
}

/** Number of deleted objects that are shown. */
const deletedCount = 5

/** The objects that were deleted last, and that the session may restore. */
export async function loadDeleted(): Promise<readonly DeletedEntry[]> {
  const pages = await Promise.all(listRestorable().map((resource) => readDeleted(resource, { limit: deletedCount })))
  return pages
    .flatMap(({ items }) => items)
    .sort((a, b) => b.deletedAt - a.deletedAt)
    .slice(0, deletedCount)
}
