import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import type { Variables } from './own-server.ts'

/** Builds a library that shifts the clock of a process. Returns the variables of a process whose clock is some seconds off. */
export function buildClock(folder: string): (shift: number) => Variables {
  const library = join(folder, 'clock.so')
  execFileSync('gcc', ['-shared', '-fPIC', '-o', library, resolve(import.meta.dirname, 'shifted-clock.c')])
  return (shift) => ({ LD_PRELOAD: library, CLOCK_SHIFT: String(shift) })
}
