import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { describeOperation, useNames } from '../../app/operations.ts'
import { base } from '../../app/router.ts'
import { ChangeSets, readSets } from '../../objects/history/change-sets.tsx'
import { DeletedList } from '../../objects/history/deleted-list.tsx'
import { listRestorable } from '../../objects/history/restored.ts'
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
