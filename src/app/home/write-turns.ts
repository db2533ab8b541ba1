/** Number of turns of the event loop after one with several writes in which each write waits for others. */
const crowdedTurns = 8

/**
 * Lets writes that arrive together run in one turn of the event loop. The runtime commits all writes of a turn together: one flush to the disk instead
 * of one for each write. A turn takes a millisecond, so writes do not wait for it while each of them is alone.
 */
export class WriteTurns {
  /** Ends the turn that writes share. Absent without a write since the last turn. */
  #turn: Promise<void> | undefined
  /** Number of writes of this turn. */
  #writes = 0
  /** Number of turns in which also the first write waits. */
  #crowded = 0

  /** Resolves when a write may run. */
  async gather(): Promise<void> {
    const waits = this.#turn !== undefined || this.#crowded > 0
    this.#turn ??= scheduler.wait(0).then(() => {
      this.#crowded = this.#writes > 1 ? crowdedTurns : Math.max(0, this.#crowded - 1)
      this.#writes = 0
      this.#turn = undefined
    })
    this.#writes++
    if (waits) await this.#turn
  }
}
