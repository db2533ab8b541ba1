import { existsSync, readFileSync } from 'node:fs'

const file = new URL('../.wrangler/demo.json', import.meta.url)

/** The demo venue that `npm run dev` has made; empty where there is none. */
export const demo = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}

/** Where the service is: what the environment names, else where `npm run dev` has served last. */
export const origin: string = process.env['API_URL'] ?? demo.url ?? 'http://localhost:8787'
