import { defineConfig } from 'vitest/config'
import { summary } from '../support/summary.ts'

/** Tests outside workerd, with the programs that people print and read with: chromium, poppler and zbar. */
export default defineConfig({
  test: {
    reporters: ['default', summary],
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
