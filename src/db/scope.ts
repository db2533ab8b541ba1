/** The merchant and mode that a request may access. Every statement of a store requires it. */
export interface Scope {
  merchantId: string
  testMode: boolean
}
