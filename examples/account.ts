import { readFileSync } from 'node:fs'

/** Whom the examples work for: what the environment names, else the demo venue that `npm run dev` has made. */
const demo = process.env['API_KEY']
  ? {}
  : JSON.parse(readFileSync(new URL('../.wrangler/demo.json', import.meta.url), 'utf8'))

export const origin: string = process.env['API_URL'] ?? demo.url ?? 'http://localhost:8787'
export const merchantId: string = process.env['MERCHANT_ID'] ?? demo.merchantId
export const key: string = process.env['API_KEY'] ?? demo.liveKey
