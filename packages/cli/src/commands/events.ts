import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, type Client, type ListedEvent } from 'merchant-ordering-client'
import { type Command, type Context, rejectWords, textOf } from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'
import { eventDays } from '../event-days.ts'
import { limitOption, printList } from '../list.ts'
import { forward } from '../listen/forward.ts'
import { openListenState } from '../listen/state.ts'
import { requireMerchant } from '../profiles.ts'

/** Pause between two requests for new events, in milliseconds. An event arrives within two seconds. */
const pollMs = 1_000
/** Pause before an event is sent again to a program that does not respond. */
const retryMs = 1_000

type EventName = ListedEvent['type']
/** The service rejects unknown names with a list of existing names. */
const isEventName = (text: string): text is EventName => /^[a-z]+\.[a-z_]+$/.test(text)
function readTypes(text: string | undefined): EventName[] | undefined {
  return text?.split(',').map((name) => {
    if (!isEventName(name)) throw new UsageError(`${name} is not the name of an event. Example: product.updated`)
    return name
  })
}

const describeEvent = ({ id, type, timestamp, data }: ListedEvent) => {
  const subject = data && 'id' in data && typeof data.id === 'string' ? `  ${data.id}` : ''
  return `${timestamp}  ${id}  ${type}${subject}`
}

/** The position after the newest event. */
async function findLatest(client: Client): Promise<string> {
  const { cursor } = await client.events.list({ after: 'latest' }).page()
  if (cursor === undefined) throw new UsageError('The service names no position in its events.')
  return cursor
}

/** Finds an event by its id: it comes after the previous event. */
async function findEvent(client: Client, id: string): Promise<ListedEvent> {
  const missing = new UsageError(`The log of the last ${eventDays} days has no event ${id}.`)
  const { items: before } = await client.events
    .list({ after: id, order: 'desc', limit: 1 })
    .page()
    .catch((error: unknown) => {
      throw error instanceof ApiError && [410, 422].includes(error.status) ? missing : error
    })
  const { items } = await client.events.list({ ...(before[0] && { after: before[0].id }), limit: 1 }).page()
  const [event] = items
  if (event?.id !== id) throw missing
  return event
}

async function tail(context: Context): Promise<void> {
  rejectWords(context)
  const { output, signal } = context
  const client = await context.connect()
  const types = readTypes(textOf(context, 'events'))
  const after = textOf(context, 'after')
  for await (const event of client.events.follow({ after, types, signal, maxPauseMs: pollMs })) {
    output.print(output.isJson ? JSON.stringify(event) : describeEvent(event))
  }
}

async function listen(context: Context): Promise<void> {
  rejectWords(context)
  const { output, signal } = context
  const target = textOf(context, 'forward-to')
  if (target === undefined || !URL.canParse(target)) throw new UsageError('--forward-to must be an address.')
  const profile = requireMerchant(await context.findProfile())
  const client = await context.connect()
  const types = readTypes(textOf(context, 'events'))
  const state = await openListenState(profile, target)
  output.note(`Signing secret: ${state.secret}`)

  /** Sends an event until the program responds, with any status. */
  async function deliver(event: ListedEvent): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt++) {
      const response = await forward(target ?? '', state.secret, event, signal)
      if ('status' in response) {
        const { status, ms } = response
        output.print(
          output.isJson
            ? JSON.stringify({ id: event.id, type: event.type, status, ms })
            : `${status}  ${describeEvent(event)}  (${ms} ms)`,
        )
        return
      }
      if (attempt === 1 && !signal.aborted) output.note(`${target} does not respond (${response.error}). Waiting …`)
      await wait(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  const replayed = textOf(context, 'replay')
  if (replayed !== undefined) return deliver(await findEvent(client, replayed))
  // Stored before the first event, so that a restart after a crash misses no events.
  let after = state.position ?? (await findLatest(client))
  if (state.position === undefined) await state.savePosition(after)
  output.note(
    `${state.position === undefined ? 'Waiting for events' : 'Continuing after the last event'}. Ctrl-C stops.`,
  )
  while (!signal.aborted) {
    try {
      for await (const event of client.events.follow({ after, types, signal, maxPauseMs: pollMs })) {
        await deliver(event)
        if (signal.aborted) return
        await state.savePosition(event.id)
        after = event.id
      }
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'events_expired')) throw error
      output.note('The last position is older than the log of events: events may be missing. Continuing with new ones.')
      after = await findLatest(client)
      await state.savePosition(after)
    }
  }
}

const eventsOption = { events: { value: 'NAMES', description: 'Only these events, separated by commas' } }

export const eventCommands: readonly Command[] = [
  {
    name: 'events list',
    usage: '[filter=value…]',
    summary: `Lists events of the last ${eventDays} days, oldest first`,
    options: limitOption,
    examples: ['events list order=desc --limit 10'],
    async run(context) {
      const { events } = await context.connect()
      await printList(context, (filter) => events.list(filter), { columns: ['timestamp', 'type', 'id'] })
    },
  },
  {
    name: 'events tail',
    summary: 'Prints events as they happen',
    details: 'With --json, one event per line.',
    options: {
      ...eventsOption,
      after: { value: 'ID', description: 'Starts after this event. Default: with the next new event' },
    },
    examples: ['events tail', 'events tail --events order.created --json'],
    run: tail,
  },
  {
    name: 'listen',
    summary: 'Forwards events to a program on this machine, signed as webhooks',
    details: `Needs no public address and no webhook. Verify the requests with the printed secret, which stays the same.
The next start continues after the last forwarded event. A program that does not respond gets the event
again, so an event can arrive twice: ignore ids that you have processed. Responses with any status count as received.`,
    options: {
      'forward-to': { value: 'URL', description: 'Where events are sent' },
      ...eventsOption,
      replay: { value: 'ID', description: 'Sends one event again, and stops' },
    },
    examples: [
      'listen --forward-to http://localhost:3000/hook',
      'listen --forward-to http://localhost:3000/hook --events order.created,product.updated',
      'listen --forward-to http://localhost:3000/hook --replay evt_…',
    ],
    run: listen,
  },
]
