import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Delivery, Webhook } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { path } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { ObjectScreen, TitleCell } from '../../objects/object-screen.tsx'
import { EventLog } from './event-log.tsx'
import { WebhookEditor } from './webhook-editor.tsx'
import { store } from './webhook-store.ts'

/** Whether an endpoint takes what is sent to it, by its latest delivery. */
function Health({ webhook }: { webhook: Webhook }) {
  const { webhooks: texts } = t()
  const latest = useSignal<Delivery['state'] | 'none' | undefined>(undefined)
  useEffect(() => {
    // Without it the list is still of use.
    api()
      .webhooks.deliveries(webhook.id, { limit: 1 })
      .page()
      .then(({ items: [delivery] }) => {
        latest.value = delivery?.state ?? 'none'
      })
      .catch(() => undefined)
  }, [webhook.id, webhook.updatedAt, path.value])
  if (!webhook.active) {
    const { disabledReason } = webhook
    return <span class="error">{disabledReason === undefined ? texts.off : texts.offBecause(disabledReason)}</span>
  }
  if (latest.value === undefined) return null
  if (latest.value === 'failed') return <span class="error">{texts.failing}</span>
  const shown = { pending: texts.waiting, delivered: texts.healthy, cancelled: texts.unused, none: texts.unused }
  return <span class={latest.value === 'delivered' ? 'good' : 'soft'}>{shown[latest.value]}</span>
}

/** The endpoints with their deliveries, and the log of events. */
export default function Webhooks() {
  const { webhooks: texts, screens } = t()
  const isLogOpen = useSignal(false)
  return (
    <ObjectScreen
      root="/webhooks"
      name={screens.webhooks}
      scope="webhooks:write"
      store={store}
      texts={texts}
      tools={
        hasScope('events:read') && (
          <button
            type="button"
            aria-expanded={isLogOpen.value}
            aria-controls="events"
            onClick={() => (isLogOpen.value = !isLogOpen.value)}
          >
            {texts.events}
          </button>
        )
      }
      head={[
        <th key="title" scope="col">
          {texts.title}
        </th>,
        <th key="health" scope="col">
          {texts.health}
        </th>,
      ]}
      cells={({ item }, open) => (
        <>
          <TitleCell title={item.title} detail={item.url} onOpen={open} isSoft={!item.active} />
          <td>
            <Health webhook={item} />
          </td>
        </>
      )}
      editor={(id, close) => <WebhookEditor key={id} id={id} onClose={close} />}
    >
      {isLogOpen.value && <EventLog />}
    </ObjectScreen>
  )
}
