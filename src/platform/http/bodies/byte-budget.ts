import { ApiError } from '../../errors.ts'

const mebibyte = 1024 * 1024

/** Maximum time that a request waits for room, and the pause between two checks, in milliseconds. */
export const roomWait = { maxMs: 5_000, pauseMs: 20 }
/** Interval of the heartbeats of a lease, and the time without a heartbeat after which it expires, in milliseconds. */
export const leaseLife = { beatMs: 5_000, lapseMs: 30_000 }

/** Memory that one request holds. */
interface Held {
  readonly holder: string
  bytes: number
  /** Expected number of bytes that the request will hold. */
  needed: number
  seenMs: number
}

const noRoom = () =>
  new ApiError('busy', 'The service is handling several large requests. Repeat the request.', [], {
    'retry-after': '5',
  })

const sum = (all: readonly Held[]) => all.reduce((total, { bytes }) => total + bytes, 0)
const getMissing = ({ needed, bytes }: Held) => Math.max(0, needed - bytes)

/**
 * Whether one of the requests can hold more. The room that the oldest request with `canGrow` still needs stays free, so that one request can always
 * finish.
 */
function fits(
  all: readonly Held[],
  maxBytes: number,
  own: Held,
  bytes: number,
  canGrow: (each: Held) => boolean = () => true,
): boolean {
  const oldest = all.find((each) => getMissing(each) > 0 && canGrow(each))
  const reserved = oldest && oldest !== own ? getMissing(oldest) : 0
  return sum(all) - own.bytes + bytes + reserved <= maxBytes
}

/**
 * A budget in bytes for what the requests of an isolate hold at the same time, of which each holder has a share. A request that finds no room waits
 * with its own timer: a promise of another request may never settle.
 */
export class ByteBudget {
  readonly maxBytes: number
  readonly maxShare: number
  /** Oldest first. */
  readonly #leases = new Set<Held>()

  constructor(maxBytes: number, maxShare: number) {
    this.maxBytes = maxBytes
    this.maxShare = maxShare
  }

  /** Bytes that all requests hold. */
  get bytes(): number {
    return sum([...this.#leases])
  }

  /** Number of requests that have a lease. */
  get leases(): number {
    return this.#leases.size
  }

  /**
   * Opens a lease, which holds nothing yet. `needed` is the expected number of bytes, at most the share of the holder. The caller must close the
   * lease. If the request ends without that, its timer ends too, and the lease expires.
   */
  open(holder: string, needed = 0) {
    const own: Held = { holder, bytes: 0, needed: Math.min(needed, this.maxShare), seenMs: Date.now() }
    this.#leases.add(own)
    const beat = setInterval(() => {
      own.seenMs = Date.now()
    }, leaseLife.beatMs)
    return {
      /** Holds a number of bytes, at most the share. Waits for room to hold more than before, and throws `busy` if no room is free. */
      hold: async (bytes: number, maxMs = roomWait.maxMs): Promise<void> => {
        const wanted = Math.min(bytes, this.maxShare)
        const { needed: before } = own
        own.needed = Math.max(before, wanted)
        try {
          await this.#take(own, wanted, maxMs)
        } finally {
          own.needed = before
        }
      },
      close: (): void => {
        clearInterval(beat)
        this.#leases.delete(own)
      },
    }
  }

  async #take(own: Held, bytes: number, maxMs: number): Promise<void> {
    for (let waitedMs = 0; !this.#hasRoom(own, bytes); waitedMs += roomWait.pauseMs) {
      if (waitedMs >= maxMs) throw noRoom()
      await new Promise((resolve) => setTimeout(resolve, roomWait.pauseMs))
    }
    own.bytes = bytes
  }

  #hasRoom(own: Held, bytes: number): boolean {
    const now = Date.now()
    for (const each of this.#leases) if (each.seenMs < now - leaseLife.lapseMs) this.#leases.delete(each)
    own.seenMs = now
    this.#leases.add(own)
    if (bytes <= own.bytes) return true
    const all = [...this.#leases]
    const listOf = (holder: string) => all.filter((each) => each.holder === holder)
    // A request that waits only for its own holder reserves no room.
    const hasShare = (each: Held) => sum(listOf(each.holder)) + getMissing(each) <= this.maxShare
    return fits(listOf(own.holder), this.maxShare, own, bytes) && fits(all, this.maxBytes, own, bytes, hasShare)
  }
}
export type Lease = ReturnType<ByteBudget['open']>

/** Room for large bodies and responses, and for their sources, in one isolate, which has 128 MiB in total. A merchant can have two thirds of it. */
export const largeWork = new ByteBudget(48 * mebibyte, 32 * mebibyte)
