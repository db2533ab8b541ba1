import { expect, test } from 'vitest'
import { addDays, fromZonedTime, toZonedTime } from '../../../console/app/time/zoned-clock.ts'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

/** Times by the clock of a venue, the time that they are, and the time that the clock then shows if it differs. */
const times: readonly (readonly [zone: string, local: string, utc: string, shown?: string])[] = [
  // Clocks are set forward: the time does not exist.
  ['Europe/Berlin', '2027-03-28T01:59', '2027-03-28T00:59Z'],
  ['Europe/Berlin', '2027-03-28T02:00', '2027-03-28T01:00Z', '2027-03-28T03:00'],
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30Z', '2027-03-28T03:30'],
  ['Europe/Berlin', '2027-03-28T03:00', '2027-03-28T01:00Z'],
  ['America/New_York', '2027-03-14T02:30', '2027-03-14T07:30Z', '2027-03-14T03:30'],
  ['America/St_Johns', '2027-03-14T02:30', '2027-03-14T06:00Z', '2027-03-14T03:30'],
  ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-02T15:45Z', '2027-10-03T02:45'],
  // They are set back: the time is there twice.
  ['Europe/Berlin', '2027-10-31T01:59', '2027-10-30T23:59Z'],
  ['Europe/Berlin', '2027-10-31T02:00', '2027-10-31T00:00Z'],
  ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30Z'],
  ['Europe/Berlin', '2027-10-31T03:00', '2027-10-31T02:00Z'],
  ['America/New_York', '2027-11-07T01:30', '2027-11-07T05:30Z'],
  ['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-03T14:45Z'],
  ['Australia/Lord_Howe', '2027-04-04T02:00', '2027-04-03T15:30Z'],
  // They are not changed, and a day is left out.
  ['Asia/Kolkata', '2027-03-28T02:30', '2027-03-27T21:00Z'],
  ['Pacific/Kiritimati', '2027-03-28T02:30', '2027-03-27T12:30Z'],
  ['Pacific/Apia', '2011-12-30T06:00', '2011-12-30T16:00Z', '2011-12-31T06:00'],
  ['UTC', '2027-03-28T02:30', '2027-03-28T02:30Z'],
]

test.each(times.map(([zone, local, utc, shown = local]) => ({ zone, local, utc, shown })))(
  'in $zone, $local by the clock is $utc',
  ({ zone, local, utc, shown }) => {
    const seconds = Date.parse(utc) / 1000
    expect(fromZonedTime(local, zone)).toBe(seconds)
    expect(toZonedTime(seconds, zone)).toBe(shown)
  },
)

test('around each clock change of a year, a time is the first one at which the clock shows it', () => {
  const [start, end] = [Date.parse('2027-01-01T00:00Z') / 1000, Date.parse('2028-01-01T00:00Z') / 1000]
  const [quarter, day] = [900, 86_400]
  for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York', 'America/St_Johns']) {
    const firsts = new Map<string, number>()
    for (let at = start; at < end; at += day) {
      if (toZonedTime(at, zone).slice(11) === toZonedTime(at + day, zone).slice(11)) continue
      for (let seconds = at - day; seconds < at + 2 * day; seconds += quarter) {
        const local = toZonedTime(seconds, zone)
        if (!firsts.has(local)) firsts.set(local, seconds)
      }
    }
    expect([zone, firsts.size > 500]).toEqual([zone, true])
    const wrong = [...firsts].filter(([local, seconds]) => fromZonedTime(local, zone) !== seconds)
    expect([zone, wrong]).toEqual([zone, []])
  }
}, 60_000)

test('days are counted by the calendar, also across clock changes', () => {
  // At 23:30 of the 27th, 24 hours later is 00:30 of the 29th in Berlin.
  const day = toZonedTime(Date.parse('2027-03-27T22:30Z') / 1000, 'Europe/Berlin').slice(0, 10)
  expect([-1, 0, 1, 2].map((days) => addDays(day, days))).toEqual([
    '2027-03-26',
    '2027-03-27',
    '2027-03-28',
    '2027-03-29',
  ])
  expect(addDays('2026-10-25', 1)).toBe('2026-10-26')
})

test('other texts are rejected', () => {
  for (const text of ['', 'noon', '2027-02-30T25:00']) expect(fromZonedTime(text, 'UTC')).toBeUndefined()
})

/** Entered times at which clocks are changed, and what the console then shows. */
const scheduled = [
  { timezone: 'Europe/Berlin', local: '2027-03-28T02:30', utc: '2027-03-28T01:30Z', shown: '03:30' },
  { timezone: 'Europe/Berlin', local: '2027-10-31T02:30', utc: '2027-10-31T00:30Z', shown: '02:30' },
  { timezone: 'Asia/Kolkata', local: '2027-03-28T06:00', utc: '2027-03-28T00:30Z', shown: '06:00' },
  { timezone: 'Australia/Lord_Howe', local: '2027-10-03T02:15', utc: '2027-10-02T15:45Z', shown: '02:45' },
]

test.each(scheduled)('a release is scheduled for $local in $timezone', async ({ timezone, local, utc, shown }) => {
  const owner = await createOwner({ venue: { timezone } })
  const { id } = await owner.post('/products', { title: 'Latte', price: 3 })
  const operations = [{ op: 'update', resource: 'products', id, body: { price: 4 } }]
  const release = await owner.post('/releases', { title: 'Night', operations })
  await visitConsole(browser, owner, '/today', async (page) => {
    await page.getByRole('button', { name: 'Continue Night' }).click()
    const bar = page.getByRole('region', { name: 'Being prepared: Night' })
    await bar.getByRole('button', { name: /^On Friday/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish on' })
    await dialog.getByLabel('Publish on').fill(local)
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await waitForStatus(page, shown)
  })
  const { state, publishAt } = await owner.get(`/releases/${release.id}`)
  expect([state, new Date(publishAt * 1000)]).toEqual(['scheduled', new Date(utc)])
})
