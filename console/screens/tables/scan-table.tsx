import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ScanCount } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { locale, t } from '../../app/language.ts'
import { showError } from '../../ui/toasts.tsx'

/** The scans of a table in the last 30 days, by day and channel. */
export function ScanTable({ id }: { id: string }) {
  const { tables: texts, shell } = t()
  const counts = useSignal<readonly ScanCount[] | undefined>(undefined)
  useEffect(() => {
    api()
      .tags.scans(id)
      .then((found) => {
        counts.value = found
      }, showError)
  }, [id])
  const found = counts.value ?? []
  const days = [...new Set(found.map(({ day }) => day))].sort().reverse()
  const channels: readonly [ScanCount['channel'], string][] = [
    ['qr', texts.channels.qr],
    ['nfc', texts.channels.nfc],
    ['link', texts.channels.link],
  ]
  const sum = (channel: ScanCount['channel'], day?: string) =>
    found
      .filter((each) => each.channel === channel && (day === undefined || each.day === day))
      .reduce((total, { count }) => total + count, 0)
  // Uses midday, so that no time zone changes the day.
  const toDay = (day: string) =>
    new Intl.DateTimeFormat(locale.value, { weekday: 'short', day: 'numeric', month: 'short' }).format(
      new Date(`${day}T12:00:00`),
    )
  return (
    <section class="group" aria-label={texts.scans}>
      <h3>{texts.scans}</h3>
      {!counts.value && <p class="hint">{shell.loading}</p>}
      {counts.value && days.length === 0 && <p class="hint">{texts.noScans}</p>}
      {days.length > 0 && (
        <table class="compare">
          <thead>
            <tr>
              <th scope="col">{texts.day}</th>
              {channels.map(([channel, name]) => (
                <th key={channel} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr class="strong">
              <th scope="row">{texts.total}</th>
              {channels.map(([channel]) => (
                <td key={channel} class="number">
                  {sum(channel)}
                </td>
              ))}
            </tr>
            {days.map((day) => (
              <tr key={day}>
                <th scope="row">{toDay(day)}</th>
                {channels.map(([channel]) => (
                  <td key={channel} class="number">
                    {sum(channel, day)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
