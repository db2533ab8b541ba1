import { listAt } from './collection.ts'
import type * as model from './models.ts'
import type { RequestOptions, Transport } from './transport.ts'

type At = (...segments: readonly string[]) => string

/** The charges of a merchant. */
export const chargesAt = (transport: Transport, at: At) => ({
  list: (more?: RequestOptions) => transport.get<model.Charges>(at('charges'), {}, more),
  /** Replaces all charges. */
  replace: (charges: model.ChargesUpdate, more?: RequestOptions) =>
    transport.post<model.Charges>(at('charges'), charges, more),
})

/** Redemptions of coupons. */
export const redemptionsAt = (transport: Transport, at: At) => ({
  /** Redeems or holds a coupon for an order, once. */
  create: (redemption: model.RedemptionCreate, more?: RequestOptions) =>
    transport.post<model.Redemption>(at('redemptions'), redemption, more),
  retrieve: (id: string, more?: RequestOptions) => transport.get<model.Redemption>(at('redemptions', id), {}, more),
  /** Redeems a held coupon. */
  confirm: (id: string, more?: RequestOptions) =>
    transport.post<model.Redemption>(at('redemptions', id, 'confirm'), {}, more),
  /** Releases a held coupon, or takes a redemption back. */
  release: (id: string, more?: RequestOptions) =>
    transport.post<model.Redemption>(at('redemptions', id, 'release'), {}, more),
  list: (query: model.ListRedemptionsQuery = {}, more?: RequestOptions) =>
    listAt<model.Redemption>(transport, at('redemptions'), { ...query }, more),
})

/** Calls of guests from their tables. */
export const callsAt = (transport: Transport, at: At) => ({
  /** The open calls, and the kinds that the venue takes. */
  list: (more?: RequestOptions) => transport.get<model.TagRequests>(at('requests'), {}, more),
  /** Marks a call as done. */
  done: (tag: string, kind: 'call' | 'bill', more?: RequestOptions) =>
    transport.post<model.FinishedTagRequest>(at('tags', tag, 'requests', kind, 'done'), {}, more),
})

type ScanRange = Omit<model.ListAllScansQuery, 'by'>

/** Counts of scans. */
export const scansAt = (transport: Transport, path: string) => ({
  /** Returns the scans of all tags by day and channel, in the merchant's time zone. */
  scans: (range: ScanRange = {}, more?: RequestOptions) => transport.get<model.ScanCount[]>(path, { ...range }, more),
  /** Returns the scans of each tag that was scanned. */
  scansByTag: (range: ScanRange = {}, more?: RequestOptions) =>
    transport.get<model.TagScans[]>(path, { ...range, by: 'tag' }, more),
  /** Returns the scans of each hour of the day that had some, in the merchant's time zone. */
  scansByHour: (range: ScanRange = {}, more?: RequestOptions) =>
    transport.get<model.HourScans[]>(path, { ...range, by: 'hour' }, more),
})
