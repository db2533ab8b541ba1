/** Minutes of a day. */
const day = 1_440
const toMinutes = (time: string) => {
  const [hours = '0', minutes = '0'] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}
const hours = [0, 6, 12, 18, 24]

/** The hours of a menu, on a bar of 24 hours. Hours past midnight are shown at both ends. */
export function DayBar({ isAllDay, begin, end }: { isAllDay: boolean; begin: string; end: string }) {
  const [from, until] = [toMinutes(begin), toMinutes(end) || day]
  const parts =
    isAllDay || begin === '' || end === ''
      ? [[0, isAllDay ? day : 0] as const]
      : from < until
        ? [[from, until] as const]
        : ([[0, until === day ? 0 : until] as const, [from, day] as const] as const)
  return (
    <div class="day-bar" aria-hidden="true">
      <div class="day">
        {parts.map(([start, stop]) => (
          <span
            key={start}
            style={{ insetInlineStart: `${(start / day) * 100}%`, width: `${((stop - start) / day) * 100}%` }}
          />
        ))}
      </div>
      <div class="hours">
        {hours.map((hour) => (
          <small key={hour}>{hour}</small>
        ))}
      </div>
    </div>
  )
}
