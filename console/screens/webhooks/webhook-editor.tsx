import { useEffect } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { ObjectEditor } from '../../objects/editor.tsx'
import { CheckField, type EditedForm, TextField } from '../../objects/fields.tsx'
import { Check } from '../../ui/controls.tsx'
import { Deliveries } from './deliveries.tsx'
import { Secrets } from './secrets.tsx'
import { eventTypes, findErrors, loadEventTypes, store, toBody, toForm, type WebhookForm } from './webhook-store.ts'

/** Whether the person may read the data of an event. `*` stands for all events, including those of customers. */
const mayRead = (type: string) => {
  const [noun = ''] = type.replace('*', 'customer').split('.')
  return hasScope(`${noun === 'order' ? 'event' : noun}${noun === 'stock' ? '' : 's'}:read`)
}

/** The types of events that an endpoint receives. */
function Types({ of }: { of: EditedForm<WebhookForm> }) {
  const { webhooks: texts } = t()
  const chosen = new Set(of.form.events)
  const toggle = (type: string, isOn: boolean) =>
    of.set('events', isOn ? [...chosen, type] : [...chosen].filter((each) => each !== type))
  return (
    <fieldset class="group">
      <legend>{texts.types}</legend>
      <Check label={texts.all} isOn={chosen.has('*')} onChange={(isOn) => toggle('*', isOn)} />
      {of.form.events.some((type) => !mayRead(type)) && <p class="error">{texts.unreadable}</p>}
      {chosen.size === 0 && <p class="error">{texts.noTypes}</p>}
      {!chosen.has('*') && (
        <div class="types">
          {eventTypes.value.map((type) => (
            <Check key={type} label={type} isOn={chosen.has(type)} onChange={(isOn) => toggle(type, isOn)} />
          ))}
        </div>
      )}
    </fieldset>
  )
}

export function WebhookEditor({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { webhooks: texts } = t()
  useEffect(() => void loadEventTypes(), [])
  return (
    <ObjectEditor
      id={id}
      titles={texts}
      deleteHint={texts.deleteHint}
      recreatedHint={texts.recreatedHint}
      scope="webhooks:write"
      store={store}
      form={{ toForm, findErrors, toBody }}
      onClose={onClose}
    >
      {(of, row, adopt) => (
        <>
          <TextField of={of} name="title" label={texts.title} input={{ autofocus: id === undefined }} />
          <TextField
            of={of}
            name="url"
            label={texts.address}
            hint={texts.addressHint}
            input={{ type: 'url', spellcheck: false }}
          />
          <CheckField of={of} name="active" label={texts.active} />
          {row?.item.disabledReason !== undefined && <p class="error">{texts.offBecause(row.item.disabledReason)}</p>}
          <Types of={of} />
          {row && (
            <>
              {hasScope('webhooks:write') && <Secrets id={row.item.id} />}
              <Deliveries
                id={row.item.id}
                isActive={row.item.active}
                onSettled={async () => {
                  // The service deactivates an endpoint that is gone or fails for a long time.
                  const next = await store.retrieve(row.item.id).catch(() => row)
                  if (next.item.active !== row.item.active) adopt(next)
                }}
              />
            </>
          )}
        </>
      )}
    </ObjectEditor>
  )
}
