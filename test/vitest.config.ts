import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { summary } from './support/summary.ts'

/** Unit and integration tests run inside workerd, against the Worker with real local D1; see `e2e` for the ones outside. */
export default defineConfig(async () => ({
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
    reporters: ['default', summary],
    include: ['test/unit/**/*.test.ts', 'test/integration/**/*.test.ts'],
    setupFiles: ['test/support/migrate.ts'],
  },
}))
