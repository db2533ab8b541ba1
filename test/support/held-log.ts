/** Methods of the console that `src/platform/lib/log.ts` writes with. Figures of tests use `console.log`, which always prints. */
const methods = ['info', 'warn', 'error'] as const

type LogConsole = Record<(typeof methods)[number], (...values: unknown[]) => void>

/** Holds back the lines that a console gets. */
export class HeldLog {
  #lines: { write(): void; values: readonly unknown[] }[] = []

  /** Replaces the methods of a console until the end of the process. */
  constructor(target: LogConsole) {
    for (const method of methods) {
      const print = target[method].bind(target)
      target[method] = (...values) => void this.#lines.push({ write: () => print(...values), values })
    }
  }

  /** The values of the lines that are held back. */
  get lines(): readonly (readonly unknown[])[] {
    return this.#lines.map(({ values }) => values)
  }

  /** Prints the lines that are held back if a test failed, and otherwise drops them. */
  release(hasFailed: boolean): void {
    const lines = this.#lines
    this.#lines = []
    if (hasFailed) for (const { write } of lines) write()
  }
}

/** The log of the Worker under test, which runs in the isolate of its tests. */
export const workerLog = new HeldLog(console)
