/** An error that the operator of the server can fix. Only its message is printed, and the command ends with 2. */
export class ServerError extends Error {}

/** The message of an error, and of a value that is no error. */
export const getReason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The code of a system error, such as `EADDRINUSE`; undefined for others. */
export const getCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** SQLite's code of a full disk. */
const sqliteFull = 13

/** Whether an error says that the disk is full. */
export const isDiskFull = (error: unknown) =>
  getCode(error) === 'ENOSPC' || (error instanceof Error && 'errcode' in error && error.errcode === sqliteFull)
