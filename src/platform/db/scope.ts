import { eq, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { allOf, param } from './database.ts'

/** The merchant and mode that a request may access. Every statement of a store requires it. */
export interface Scope {
  merchantId: string
  testMode: boolean
}

/** SQL for "a row of the merchant `:merchantId` in the mode `:testMode`". */
export const isInScope = ({ merchantId, testMode }: Readonly<Record<keyof Scope, SQLiteColumn>>): SQL =>
  allOf(eq(merchantId, param('merchantId')), eq(testMode, param('testMode')))
