import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { summary } from './support/summary.ts'

/**
 * Unit and integration tests run inside workerd, against the Worker with real local D1. After them, alone on the machine, the end
 * to end tests run in plain Node: they type the commands that a developer types.
 */
export default defineConfig(async () => ({
  test: {
    reporters: ['default', summary],
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: 'wrangler.toml' },
            miniflare: {
              bindings: {
                MIGRATIONS: await readD1Migrations('migrations'),
                ADMIN_TOKEN: 'test-admin-token',
                ALLOW_INSECURE_WEBHOOKS: '1',
                PUBLIC_BASE_URL: 'https://menu.example',
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          // Some tests make hundreds of calls, and the machine may have other things to do.
          testTimeout: 20_000,
          include: ['test/unit/**/*.test.ts', 'test/integration/**/*.test.ts'],
          setupFiles: ['test/support/migrate.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
}))
