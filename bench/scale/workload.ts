/** Requests of one merchant on one day. */
export const workload = {
  products: 1_000,
  tags: 40,
  /** Updates of products, each delivered to one webhook. */
  changes: 200,
  /** Each is priced by a quote and published as `order.created` with effects on stock, delivered to one webhook. */
  orders: 300,
  /** Lines of an order. */
  lines: 3,
  /** Each is counted and opens the hosted menu. */
  scans: 3_000,
} as const

/** Numbers of merchants in the tables. */
export const merchantCounts = [100, 10_000, 100_000] as const

/** Part of a day's requests in its busiest hour: venues of one time zone eat at the same time. */
export const busiestHour = 0.2

export const daysPerMonth = 30
