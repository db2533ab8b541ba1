import { existsSync, readFileSync } from 'node:fs'

const file = new URL('../.wrangler/demo.json', import.meta.url)

/** The demo venue of `npm run dev`; empty if the demo venue does not exist. */
export const demo = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}

/** Origin of the service from the environment; by default that of the last `npm run dev`. */
export const origin: string = process.env['API_URL'] ?? demo.url ?? 'http://localhost:8787'
