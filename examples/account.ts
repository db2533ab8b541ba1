import { demo } from './origin.ts'

export { origin } from './origin.ts'

/** Merchant and key from the environment; by default the demo venue of `npm run dev`. */
export const merchantId: string = process.env['MERCHANT_ID'] ?? demo.merchantId
export const key: string = process.env['API_KEY'] ?? demo.liveKey
if (!merchantId || !key) throw new Error('Start `npm run dev` first, or set API_URL, MERCHANT_ID and API_KEY.')
