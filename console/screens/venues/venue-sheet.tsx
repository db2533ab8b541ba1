import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Backup, Merchant, Usage } from '../../../packages/client/src/client.ts'
import { operatorApi } from '../../app/api.ts'
import { formatNumber, formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { isAdmin } from '../../app/session.ts'
import { Invite } from '../../objects/invite.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { OpenVenue } from './open-venue.tsx'
import { VenueMove } from './venue-move.tsx'

const bytesPerMegabyte = 1_000_000
const toMegabytes = (bytes: number) => t().venues.megabytes(formatNumber(Math.round(bytes / 10_000) / 100))
const resources = ['products', 'modifiers', 'menus', 'coupons', 'customers', 'tags', 'webhooks'] as const

function UsageTable({ usage }: { usage: Usage }) {
  const { venues: texts, transfer } = t()
  const { pending, failed } = usage.deliveries
  return (
    <section class="group" aria-label={texts.usage}>
      <h3>{texts.usage}</h3>
      <table class="compare" aria-label={texts.usage}>
        <thead>
          <tr>
            <th scope="col">{texts.resource}</th>
            <th scope="col" class="number">
              {texts.live}
            </th>
            <th scope="col" class="number">
              {texts.test}
            </th>
          </tr>
        </thead>
        <tbody>
          {resources.map((name) => (
            <tr key={name}>
              <th scope="row">{transfer.resources[name]}</th>
              <td class="number">{formatNumber(usage.objects[name]?.live ?? 0)}</td>
              <td class="number">{formatNumber(usage.objects[name]?.test ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {texts.size}: {toMegabytes(usage.bytes)} · {texts.pending}: {pending} ·{' '}
        <span class={failed > 0 ? 'error' : ''}>
          {texts.failed}: {failed}
        </span>
      </p>
    </section>
  )
}

function Backups({ id }: { id: string }) {
  const { venues: texts, shell } = t()
  const backups = useSignal<readonly Backup[] | undefined>(undefined)
  const isBusy = useSignal(false)
  const load = async () => {
    try {
      backups.value = await operatorApi().backups.list(id)
    } catch (error) {
      showError(error)
    }
  }
  useEffect(() => void load(), [id])
  const create = async () => {
    if (isBusy.value) return
    isBusy.value = true
    try {
      await operatorApi().backups.create(id)
      showStatus(texts.backedUp)
      await load()
    } catch (error) {
      showError(error)
    }
    isBusy.value = false
  }
  return (
    <section class="group" aria-label={texts.backups}>
      <h3>{texts.backups}</h3>
      {!backups.value && <p class="hint">{shell.loading}</p>}
      {backups.value?.length === 0 && <p class="hint">{texts.noBackups}</p>}
      {backups.value && backups.value.length > 0 && (
        <table class="plain-rows" aria-label={texts.backups}>
          <tbody>
            {backups.value.map(({ takenAt, bytes, rows }) => (
              <tr key={takenAt}>
                <th scope="row">{formatTime(takenAt)}</th>
                <td>
                  {texts.rows(rows)}, {toMegabytes(Math.max(bytes, bytesPerMegabyte / 100))}
                </td>
                <td class="end">
                  <a class="button" href={`/admin/merchants/${id}/backups/${takenAt}`} download="">
                    {texts.download}
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        <button type="button" aria-disabled={isBusy.value} onClick={create}>
          {texts.backUp}
        </button>
      </p>
    </section>
  )
}

/** Usage, state, invitations and backups of a venue. */
export function VenueSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { venues: texts, shell } = t()
  const venue = useSignal<Merchant | undefined>(undefined)
  const usage = useSignal<Usage | undefined>(undefined)
  const isAsking = useSignal(false)
  const isInviting = useSignal(false)
  useEffect(() => {
    const { merchants } = operatorApi()
    merchants.retrieve(id).then(
      (found) => {
        venue.value = found
      },
      (error) => {
        showError(error)
        onClose()
      },
    )
    merchants.usage(id).then((found) => {
      usage.value = found
    }, showError)
  }, [id])
  const setState = async (to: 'suspend' | 'resume') => {
    isAsking.value = false
    try {
      const changed = await operatorApi().merchants[to](id)
      venue.value = changed
      if (to === 'suspend') showStatus(texts.suspended(changed.name), () => setState('resume'))
      else showStatus(texts.resumed(changed.name))
    } catch (error) {
      showError(error)
    }
  }
  const { value } = venue
  return (
    <Dialog kind="sheet" title={value?.name ?? shell.loading} onClose={onClose}>
      {value && (
        <>
          <p>
            <span class={value.status === 'active' ? 'good' : 'error'}>{texts.statuses[value.status]}</span> ·{' '}
            <small>{value.id}</small>
          </p>
          <div class="buttons">
            <OpenVenue venue={value} />
            {isAdmin() && value.status === 'active' && (
              <button type="button" onClick={() => (isInviting.value = true)}>
                {t().settings.invite}
              </button>
            )}
            {isAdmin() && value.status === 'active' && (
              <button type="button" class="danger-text" onClick={() => (isAsking.value = true)}>
                {texts.suspend}
              </button>
            )}
            {isAdmin() && value.status === 'suspended' && (
              <button type="button" onClick={() => setState('resume')}>
                {texts.resume}
              </button>
            )}
          </div>
          {usage.value && <UsageTable usage={usage.value} />}
          <VenueMove venue={value} />
          {isAdmin() && <Backups id={id} />}
        </>
      )}
      {isInviting.value && (
        <Invite
          initial="owner"
          venue={value?.name ?? ''}
          create={(invitation) => operatorApi().invitations.create(id, invitation)}
          onClose={() => (isInviting.value = false)}
        />
      )}
      {isAsking.value && value && (
        <Confirm
          title={texts.suspendTitle(value.name)}
          text={texts.suspendText}
          confirm={texts.suspend}
          onConfirm={() => setState('suspend')}
          onCancel={() => (isAsking.value = false)}
        />
      )}
    </Dialog>
  )
}
