import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { keepPrepared } from '../../app/frame/prepared.ts'
import { t } from '../../app/language.ts'
import { describeOperation, useNames } from '../../app/operations.ts'
import { base, navigate } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { ChangeSets, readSets } from '../../objects/history/change-sets.tsx'
import { DeletedList } from '../../objects/history/deleted-list.tsx'
import { listRestorable } from '../../objects/history/restored.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { showError } from '../../ui/toasts.tsx'
import { Card, useData } from './card.tsx'
import { loadChanges, loadDeleted } from './today-data.ts'

/** Screens that open an object by its id. */
const linked = ['products', 'modifiers', 'menus', 'coupons', 'customers', 'tables', 'webhooks']

/** Parts whose changes are in the log. */
const pulseParts = ['products', 'modifiers', 'menus', 'coupons', 'customers', 'tags', 'webhooks', 'stock'] as const

/** The latest entries of the audit log. */
export function AuditCard() {
  const { today: texts } = t()
  const changes = useData(loadChanges, pulseParts).value
  const { titleOf, actorOf } = useNames(changes)
  return (
    <Card title={texts.changes} isWide isReady={changes !== undefined}>
      {changes?.length === 0 && <p class="soft">{texts.noChanges}</p>}
      <ul class="entries changes">
        {changes?.map((entry) => {
          const { id, operation, object, at } = entry
          const [resource = '', action] = operation.split('.')
          const { noun, verb } = describeOperation(entry, titleOf(entry))
          const actor = actorOf(entry)
          const screen = resource === 'tags' ? 'tables' : resource
          const isOpenable = linked.includes(screen) && action !== 'delete' && action !== 'erase'
          return (
            <li key={id}>
              <span>
                {isOpenable ? <a href={`${base}/${screen}/${object}`}>{noun}</a> : noun} {verb}
              </span>
              <small>
                {formatTime(at)}
                {actor !== undefined && ` · ${actor}`}
              </small>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** The objects that were deleted last, with a button that restores each. */
export function DeletedCard() {
  const { history: texts } = t()
  const deleted = useData(loadDeleted, listRestorable())
  if (listRestorable().length === 0) return null
  const reload = () =>
    void loadDeleted().then((next) => {
      deleted.value = next
    }, showError)
  return (
    <Card title={texts.deleted} isWide isReady={deleted.value !== undefined}>
      {deleted.value?.length === 0 && <p class="soft">{texts.nothingDeleted}</p>}
      <DeletedList entries={deleted.value ?? []} onRestored={reload} />
    </Card>
  )
}

/** Number of change sets that are shown. */
const setCount = 5
const loadSets = () => readSets(setCount)

/** The last change sets, with a button that undoes each. */
export function ChangeSetCard() {
  const { history: texts } = t()
  const sets = useData(loadSets, pulseParts)
  const reload = () =>
    void loadSets().then((next) => {
      sets.value = next
    }, showError)
  return (
    <Card title={texts.changeSets} isWide isReady={sets.value !== undefined}>
      {sets.value?.length === 0 && <p class="soft">{texts.noSets}</p>}
      <ChangeSets sets={sets.value ?? []} onUndone={reload} />
    </Card>
  )
}

/** States of a release that can still be published. */
const openStates = { draft: true, scheduled: true, failed: true, publishing: true, published: false, cancelled: false }

async function loadReleases() {
  const { items } = await api().releases.list({ limit: 50 }).page()
  return items.filter(({ state }) => openStates[state])
}

/** Changes that are prepared: when they are published, why they could not be, and a way back to them. */
export function PreparedCard() {
  const { release: texts } = t()
  const found = useData(loadReleases, ['products', 'modifiers', 'menus', 'coupons'])
  const resume = (id: string) => {
    keepPrepared(id)
    navigate('/products')
  }
  return (
    <Card title={texts.open} isWide isReady={found.value !== undefined}>
      {found.value?.length === 0 && <p class="soft">{texts.noOpen}</p>}
      <ul class="entries changes">
        {found.value?.map(({ id, title, state, changes, publishAt }) => (
          <li key={id}>
            <span>
              <Sentence text={texts.named(title)} />: {texts.count(changes)}
              <small class={state === 'failed' ? 'error' : undefined}>
                {state === 'scheduled' && publishAt !== undefined
                  ? texts.isScheduled(formatTime(publishAt))
                  : state === 'failed'
                    ? texts.failed
                    : texts.states[state === 'publishing' ? state : 'draft']}
              </small>
            </span>
            {hasScope('releases:write') && state !== 'publishing' && (
              <button type="button" aria-label={texts.resumeOf(title)} onClick={() => resume(id)}>
                {texts.resume}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
