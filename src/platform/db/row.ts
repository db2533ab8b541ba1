/** A row as SQLite returns it, by the names that its statement gives to columns. */
export type Row = Record<string, unknown>
