import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListEventsQuery, ListedEvent } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { usePages } from '../../ui/paged.ts'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { eventTypes, loadEventTypes } from './webhook-store.ts'

type EventType = NonNullable<ListEventsQuery['types']>[number]

/** A value of an event in one line. */
const show = (value: unknown) =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)

/** Content of an event: the changed fields, otherwise the whole object. */
function Content({ event }: { event: ListedEvent }) {
  const { webhooks: texts } = t()
  const data = new Map<string, unknown>(Object.entries(event.data ?? {}))
  const previous = Object.entries(event.previous ?? {})
  if (data.size === 0) return null
  return (
    <details>
      <summary>{previous.length > 0 ? texts.changed : texts.details}</summary>
      {previous.length > 0 ? (
        <table class="compare">
          <thead>
            <tr>
              <td />
              <th scope="col">{texts.before}</th>
              <th scope="col">{texts.after}</th>
            </tr>
          </thead>
          <tbody>
            {previous.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{show(value)}</td>
                <td>{show(data.get(name))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <pre>{JSON.stringify(event.data, undefined, 2)}</pre>
      )}
    </details>
  )
}

/** A name of the object of an event. */
function nameObject({ data }: ListedEvent): string {
  const fields = new Map<string, unknown>(Object.entries(data ?? {}))
  return String(fields.get('title') ?? fields.get('code') ?? fields.get('id') ?? '')
}

/** The events of the last 30 days, newest first. */
export function EventLog() {
  const { webhooks: texts, settings, shell } = t()
  const type = useSignal<EventType | ''>('')
  const { value } = type
  useEffect(() => void loadEventTypes(), [])
  const { items, more } = usePages(
    (after) =>
      api().events.list({
        order: 'desc',
        ...(value === '' ? {} : { types: [value] }),
        ...(after === undefined ? {} : { after }),
      }),
    value,
  )
  const types: readonly EventType[] = [
    ...eventTypes.value.flatMap((name) => (name === '*' ? [] : [name])),
    'webhook.test',
  ]
  return (
    <Section id="events" title={texts.events}>
      <div class="narrow">
        <Select<EventType | ''>
          label={texts.type}
          value={value}
          options={[['', texts.all], ...types.map((name) => [name, name] as const)]}
          onChange={(chosen) => {
            type.value = chosen
          }}
        />
      </div>
      {!items.value && <p class="hint">{shell.loading}</p>}
      {items.value?.length === 0 && <p class="hint">{texts.noEvents}</p>}
      {items.value && items.value.length > 0 && (
        <table class="plain-rows" aria-label={texts.events}>
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              <th scope="col">{texts.type}</th>
              <th scope="col">{settings.object}</th>
            </tr>
          </thead>
          <tbody>
            {items.value.map((event) => (
              <tr key={event.id}>
                <td>{formatTime(Date.parse(event.timestamp) / 1000)}</td>
                <td>{event.type}</td>
                <td class="full">
                  {nameObject(event)}
                  <Content event={event} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more && (
        <button type="button" class="quiet" onClick={more}>
          {settings.more}
        </button>
      )}
    </Section>
  )
}
