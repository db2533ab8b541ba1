import { DatabaseSync } from 'node:sqlite'
import { overdueImportSeconds } from '../../src/bulk/import/overdue-imports.ts'
import { findSharedDatabase } from '../drill/storage.ts'
import type { Service } from '../support/service.ts'

/** Sets the clock of imports back, so that the scheduled task finds those that make no progress at once. */
export async function outdateImports(service: Service) {
  const database = new DatabaseSync(await findSharedDatabase(service.state))
  database.prepare('update imports set updated_at = updated_at - ?').run(overdueImportSeconds.step)
  database.close()
}
