import { formatTime } from '../../app/format.ts'
import { locale, t } from '../../app/language.ts'
import { base } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { describeUntil } from '../../objects/stock/sold-out.ts'
import { Calls } from './calls.tsx'
import { Card, useData } from './card.tsx'
import { Checklist, useStart } from './checklist.tsx'
import { AuditCard, ChangeSetCard, DeletedCard, PreparedCard } from './history-cards.tsx'
import { describeService, PauseButtons, service, useService } from './pause.tsx'
import { hasStarted, mayStart } from './start-data.ts'
import { loadFailing, loadHours, loadScans, loadSoldOut, maxSoldOut, type Scans, scanDays } from './today-data.ts'

function Orders() {
  useService()
  const state = service.value
  return (
    <Card title={t().today.orders} isReady={state !== undefined}>
      {state && (
        <>
          <p class="strong" role="status">
            {describeService(state)}
          </p>
          {state.message !== undefined && <p>{state.message}</p>}
          {state.prepMinutes !== undefined && <p class="soft">{t().today.prepMinutes(state.prepMinutes)}</p>}
          <p>
            <PauseButtons state={state} />
          </p>
        </>
      )}
    </Card>
  )
}

function Menus() {
  const { today: texts } = t()
  const hours = useData(loadHours, ['menus', 'products']).value
  const { menus = [], closedMenus = [], nextChangeAt } = hours ?? {}
  return (
    <Card title={texts.menus} link="/menus" isReady={hours !== undefined}>
      <p class="strong">
        {menus.length > 0 ? texts.openNow : closedMenus.length > 0 ? texts.nothingOpen : texts.noMenus}
      </p>
      <ul class="entries">
        {menus.map(({ id, title }) => (
          <li key={id}>
            <a href={`${base}/menus/${id}`}>{title}</a>
          </li>
        ))}
      </ul>
      {closedMenus.length > 0 && (
        <>
          <p class="soft">{texts.later}</p>
          <ul class="entries">
            {closedMenus.slice(0, maxSoldOut).map(({ id, title, nextServed }) => (
              <li key={id}>{texts.next(title, formatTime(nextServed))}</li>
            ))}
          </ul>
        </>
      )}
      {nextChangeAt !== undefined && <p class="hint">{texts.nextChange(formatTime(nextChangeAt))}</p>}
    </Card>
  )
}

/** Counts as bars, each with the name of its day or hour. */
function Bars({ bars }: { bars: readonly (readonly [name: string, count: number])[] }) {
  const max = Math.max(...bars.map(([, count]) => count), 1)
  return (
    <div class="bars" aria-hidden="true">
      {bars.map(([name, count]) => (
        <span key={name} title={t().today.scansOn(name, count)} style={{ height: `${(count / max) * 100}%` }} />
      ))}
    </div>
  )
}

/** The scans of each day as bars. */
function DayBars({ byDay }: Pick<Scans, 'byDay'>) {
  const format = new Intl.DateTimeFormat(locale.value, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return <Bars bars={byDay.map(({ day, count }) => [format.format(Date.parse(day)), count])} />
}

/** The scans of each hour of the day as bars, and the busiest hour in words. Nothing before the first counted hour. */
function HourBars({ byHour }: Pick<Scans, 'byHour'>) {
  if (byHour.length === 0) return null
  const format = new Intl.DateTimeFormat(locale.value, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
  const nameOf = (hour: number) => format.format(hour * 3_600_000)
  const counts = new Map(byHour.map(({ hour, count }) => [hour, count]))
  const busiest = byHour.reduce((most, each) => (each.count > most.count ? each : most))
  return (
    <>
      <Bars bars={Array.from({ length: 24 }, (_, hour) => [nameOf(hour), counts.get(hour) ?? 0])} />
      <p class="hint">{t().today.busiest(`${nameOf(busiest.hour)}–${nameOf((busiest.hour + 1) % 24)}`)}</p>
    </>
  )
}

function ScanCard() {
  const { today: texts } = t()
  const scans = useData(loadScans, []).value
  const format = new Intl.NumberFormat(locale.value)
  return (
    <Card title={texts.scans} link="/tables" isReady={scans !== undefined}>
      {scans && (
        <>
          <dl class="figures">
            <div>
              <dt>{texts.scansToday}</dt>
              <dd>{format.format(scans.today)}</dd>
            </div>
            <div>
              <dt>{texts.scansInDays(scanDays)}</dt>
              <dd>{format.format(scans.total)}</dd>
            </div>
          </dl>
          {scans.total > 0 ? <DayBars byDay={scans.byDay} /> : <p class="hint">{texts.noScans(scanDays)}</p>}
          <HourBars byHour={scans.byHour} />
        </>
      )}
    </Card>
  )
}

function Failing() {
  const { today: texts } = t()
  const data = useData(loadFailing, ['webhooks']).value
  return (
    <Card title={texts.webhooks} link="/webhooks" isReady={data !== undefined}>
      {data?.failing.length === 0 && data.off === 0 && (
        <p class="soft">{data.count > 0 ? texts.allWell : texts.noWebhooks}</p>
      )}
      {data !== undefined && data.off > 0 && <p class="soft">{texts.switchedOff(data.off)}</p>}
      <ul class="entries">
        {data?.failing.map(({ id, title, active }) => (
          <li key={id}>
            <a href={`${base}/webhooks/${id}`}>{title}</a>{' '}
            <span class="error">{active ? texts.failing : texts.disabled}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function SoldOut() {
  const { today: texts } = t()
  const data = useData(loadSoldOut, ['stock']).value
  return (
    <Card title={texts.soldOut} link="/sold-out" isReady={data !== undefined}>
      {data?.items.length === 0 && <p class="soft">{texts.nothingSold}</p>}
      <ul class="entries">
        {data?.items.map(({ product, title, until }) => (
          <li key={product}>
            {title} <small>{describeUntil(until, true)}</small>
          </li>
        ))}
        {data?.hasMore && <li class="soft">…</li>}
      </ul>
    </Card>
  )
}

/** The current state: menus, orders, scans, failing webhooks, sold-out products and recent changes. */
export default function Today() {
  const isWanted = mayStart() && !hasStarted()
  const state = useStart(isWanted)
  if (isWanted && !state) return <p class="empty">{t().shell.loading}</p>
  const isFresh = isWanted && state?.dish === undefined && state?.menu === undefined && state?.tables.length === 0
  return (
    <div class="tiles">
      <Calls />
      {isWanted && state && <Checklist state={state} />}
      {!isFresh && <Menus />}
      {hasScope('stock:read') && <Orders />}
      {!isFresh && hasScope('tags:read') && <ScanCard />}
      {!isFresh && hasScope('stock:read') && <SoldOut />}
      {!isFresh && hasScope('webhooks:read') && <Failing />}
      {!isFresh && hasScope('releases:read') && <PreparedCard />}
      {!isFresh && hasScope('changes:read') && <ChangeSetCard />}
      {!isFresh && <DeletedCard />}
      {hasScope('audit:read') && <AuditCard />}
    </div>
  )
}
