import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Webhook } from '../../../packages/client/src/client.ts'
import { type Health, readHealth } from '../../app/delivery-health.ts'
import { t } from '../../app/language.ts'
import { path } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { ObjectScreen, TitleCell } from '../../objects/object-screen.tsx'
import { EventLog } from './event-log.tsx'
import { WebhookEditor } from './webhook-editor.tsx'
import { store } from './webhook-store.ts'

/** Pause between two checks of an endpoint that may recover, in milliseconds. */
const refreshMs = 5_000

function HealthCell({ webhook }: { webhook: Webhook }) {
  const { webhooks: texts } = t()
  const health = useSignal<Health | undefined>(undefined)
  useEffect(() => {
    let isShown = true
    let timer: ReturnType<typeof setTimeout> | undefined
    async function refresh() {
      // The list is still useful without it.
      const found = await readHealth(webhook).catch(() => undefined)
      if (!isShown) return
      if (found) health.value = found
      if (webhook.active && found !== 'healthy' && found !== 'unused') timer = setTimeout(refresh, refreshMs)
    }
    void refresh()
    return () => {
      isShown = false
      clearTimeout(timer)
    }
  }, [webhook.id, webhook.updatedAt, path.value])
  if (!webhook.active) {
    const { disabledReason } = webhook
    return <span class="error">{disabledReason === undefined ? texts.off : texts.offBecause(disabledReason)}</span>
  }
  if (health.value === undefined) return null
  const tones = { failing: 'error', healthy: 'good', waiting: 'soft', unused: 'soft' }
  return <span class={tones[health.value]}>{texts[health.value]}</span>
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
      parts={['webhooks']}
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
            <HealthCell webhook={item} />
          </td>
        </>
      )}
      editor={(id, close) => <WebhookEditor key={id} id={id} onClose={close} />}
    >
      {isLogOpen.value && <EventLog />}
    </ObjectScreen>
  )
}
