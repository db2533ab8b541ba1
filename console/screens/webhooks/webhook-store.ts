import { signal } from '@preact/signals'
import type { Webhook, WebhookCreate } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { createStore } from '../../objects/store.ts'
import { showError } from '../../ui/toasts.tsx'

/** Content of the editor. */
export interface WebhookForm {
  title: string
  url: string
  active: boolean
  events: readonly string[]
}
type EventType = NonNullable<WebhookCreate['events']>[number]
interface WebhookBody {
  title: string
  url: string
  active: boolean
  events: EventType[]
}

/** The types of events that the service knows, in its order. */
export const eventTypes = signal<readonly EventType[]>([])
/** Reads them from the service's own list, so that the console never lacks one. */
export async function loadEventTypes(): Promise<void> {
  if (eventTypes.value.length > 0) return
  try {
    const response = await fetch('/event-types')
    const found: { type: EventType }[] = await response.json()
    eventTypes.value = found.map(({ type }) => type)
  } catch (error) {
    showError(error)
  }
}

export const toForm = (webhook?: Webhook): WebhookForm => ({
  title: webhook?.title ?? '',
  url: webhook?.url ?? '',
  active: webhook?.active ?? true,
  events: webhook?.events ?? ['*'],
})
export const toBody = ({ title, url, active, events }: WebhookForm): WebhookBody => {
  const chosen = new Set(events)
  const all = '*' as const
  return {
    title,
    url: url.trim(),
    active,
    events: chosen.has(all) ? [all] : eventTypes.value.filter((type) => chosen.has(type)),
  }
}
export function findErrors({ title, url }: WebhookForm): ReadonlyMap<string, string> {
  const { required } = t().issue
  const empty = Object.entries({ title, url }).filter(([, value]) => value.trim() === '')
  return new Map(empty.map(([name]) => [name, required]))
}

export const store = createStore<Webhook, WebhookBody>({
  name: 'webhooks',
  source: () => api().webhooks,
  titleOf: ({ title }) => title,
  nameOf: (field) => {
    const { title, address, types, active } = t().webhooks
    return (
      new Map([
        ['title', title],
        ['url', address],
        ['events', types],
        ['active', active],
      ]).get(field) ?? field
    )
  },
})
