import { ApiError, ConnectionError } from './client-errors.ts'
import type { Page } from './collection.ts'
import { isTemporary, pause } from './transport.ts'
import type { ListedEvent } from './webhook.ts'

/** Options of `events.follow`. */
export interface FollowOptions<Type extends string = string> {
  /** Id of the last event that was processed. Default: events from now on. */
  after?: string | undefined
  /** Only events of these types. Default: all. */
  types?: Type[] | undefined
  /** Maximum pause between two requests, in milliseconds. Default: 10,000. */
  maxPauseMs?: number | undefined
  /** Ends the iteration. */
  signal?: AbortSignal | undefined
}

const maxPageSize = 100
/** Pauses in milliseconds: the first one after an empty page or a failure, and the maximum. Each is twice as long as the previous one. */
const firstPauseMs = 1_000
const defaultMaxPauseMs = 10_000
/** Time since the last response after which an expired position may have missed events. It is less than the 30 days that events are kept. */
const maxSilenceMs = 86_400_000

type ReadPage = (position: { after: string | undefined; limit: number }) => Promise<Page<ListedEvent>>

/**
 * Yields the events after a position as they happen, in the order of their commits, and never returns unless `signal` aborts. Waits and continues
 * after temporary failures. Otherwise throws `ApiError`: `events_expired` if events may have been missed.
 */
export async function* followEvents(
  readPage: ReadPage,
  { after, signal, maxPauseMs = defaultMaxPauseMs }: FollowOptions,
): AsyncGenerator<ListedEvent, void, void> {
  let position: string | undefined = after ?? 'latest'
  let readAtMs: number | undefined
  let pauseMs = Math.min(firstPauseMs, maxPauseMs)
  while (!signal?.aborted) {
    try {
      const { items, cursor } = await readPage({ after: position, limit: maxPageSize })
      readAtMs = Date.now()
      for (const event of items) {
        yield event
        if (signal?.aborted) return
      }
      position = cursor ?? items.at(-1)?.id ?? position
      if (cursor !== undefined || items.length > 0) pauseMs = Math.min(firstPauseMs, maxPauseMs)
      if (cursor !== undefined) continue
    } catch (error) {
      if (signal?.aborted) return
      if (isExpired(error) && readAtMs !== undefined && Date.now() - readAtMs < maxSilenceMs) {
        // At the last request, no event followed the position, so all later events are still in the log.
        position = undefined
        continue
      }
      if (!isRecoverable(error)) throw error
    }
    await pause(pauseMs, signal).catch(() => undefined)
    pauseMs = Math.min(2 * pauseMs, maxPauseMs)
  }
}

const isExpired = (error: unknown) => error instanceof ApiError && error.code === 'events_expired'
const isRecoverable = (error: unknown) =>
  error instanceof ConnectionError || (error instanceof ApiError && isTemporary(error))
