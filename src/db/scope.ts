/** Whose data a request may touch. Every statement of a store carries it. */
export interface Scope {
  merchantId: string
  testMode: boolean
}
