import { defineConfig } from 'vitest/config'
import { summary } from '../support/summary.ts'

/** Tests from outside: the Worker as it is built and run, and real servers around it. */
export default defineConfig({
  test: {
    reporters: ['default', summary],
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
