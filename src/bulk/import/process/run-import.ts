import * as z from 'zod/mini'
import { type Caller, createSenders } from '../../../catalogue/resource/caller.ts'
import type { Database, Values } from '../../../platform/db/database.ts'
import { merchantDatabase } from '../../../platform/db/home/merchant-connection.ts'
import type { Bindings, Waiting } from '../../../platform/env.ts'
import { preconditionFailed } from '../../../platform/http/etag.ts'
import { log } from '../../../platform/lib/log.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import type { ImportMessage } from '../../../platform/messages.ts'
import { writeTagChanges } from '../../../storefront/tags/kv-sync.ts'
import { runBatch } from '../../batch/run-batch.ts'
import { enqueueImport } from '../enqueue-import.ts'
import { chunkLimits, chunksPerReading, contention, failureLimits, messageLimits } from '../import-limits.ts'
import { findImportSet, needsConfirmation, readPlanned, type StoredImport } from '../import-view.ts'
import { pauseAfterStep } from '../pace.ts'
import { toImportIssues } from '../rows/issue-rows.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'
import { importStatements } from '../statements/import-statements.ts'
import { checkRows } from './check-rows.ts'
import { countMissing, deleteMissing } from './delete-missing.ts'
import { writeDetails } from './details-steps.ts'
import {
  createStepValues,
  isChangedMeanwhile,
  isContended,
  isGivingUp,
  isOutdated,
  isTemporary,
  type StepContext,
  type StoredChunk,
} from './import-step.ts'
import { applyRows } from './row-steps.ts'

const hosts = z.array(z.string())

/** A caller for the steps of an import, on behalf of the key and the request that uploaded or applied it. */
function createImportCaller(
  env: Bindings,
  context: Pick<ExecutionContext, 'waitUntil'>,
  database: Database,
  stored: StoredImport,
): Caller {
  const { merchantId, testMode, actor, requestId, baseUrl, ownHosts } = stored
  return {
    database,
    scope: { merchantId, testMode },
    actor,
    requestId: requestId ?? undefined,
    changeSet: findImportSet(stored)?.id,
    validationContext: {
      allowInsecureWebhooks: Boolean(env.ALLOW_INSECURE_WEBHOOKS),
      endpoints: env,
      ownHosts: hosts.parse(ownHosts),
    },
    renderContext: { baseUrl: baseUrl ?? undefined },
    ...createSenders(env, merchantId, (sending) => context.waitUntil(sending)),
  }
}

const nothingDeleted = {
  code: 'conflict',
  message: 'Nothing was deleted: some rows cannot be read, so it is unknown which objects they name.',
}

const stopped = {
  code: 'internal',
  message:
    'The import stopped because of an error of the service. Rows that were applied stay. Upload the file again later.',
}

/** Starts the next import of the merchant. */
async function startNext(env: Bindings, database: Database, merchantId: string): Promise<void> {
  const [[next]] = await database.run([importStatements.findFirst(), { merchantId }])
  if (next) await enqueueImport(env, { merchant: merchantId, testMode: next.testMode, import: next.id })
}

/** Ends an import whose rows are all applied, and starts the next one of the merchant. */
async function finish(env: Bindings, context: StepContext): Promise<void> {
  const { caller, stored } = context
  const values = createStepValues(context)
  const issues = stored.deleteMissing && stored.hasUnreadableRow ? toImportIssues(nothingDeleted) : []
  await caller.database.run(
    [importStatements.finishApply(), values],
    [chunkStatements.insertIssues(), { ...values, issues: JSON.stringify(issues) }],
    [chunkStatements.removeSound(), values],
  )
  await startNext(env, caller.database, stored.merchantId)
}

/** Ends an import whose next step always fails without a row to give up. Starts the next import of the merchant. */
async function stop(env: Bindings, database: Database, stored: StoredImport, values: Values): Promise<void> {
  await database.run(
    [importStatements.fail(), values],
    [chunkStatements.insertIssues(), { ...values, issues: JSON.stringify(toImportIssues(stopped)) }],
    [chunkStatements.removeSound(), values],
  )
  await startNext(env, database, stored.merchantId)
}

/** Counts a failure of the next step. If the database cannot store it, there is an outage, in which failures do not count. */
async function countFailure(database: Database, values: Values): Promise<void> {
  const before = nowInSeconds() - failureLimits.intervalSeconds
  await database.run([importStatements.countFailure(), { ...values, before }]).catch(() => undefined)
}

/** Ends the check, with the number of objects that applying deletes. */
async function finishCheck({ caller, stored }: StepContext, values: Values): Promise<void> {
  const missing = await countMissing(caller, stored)
  const planned = { ...readPlanned(stored), ...(missing && { deletes: missing.count, isManyDeletes: missing.isMany }) }
  const mayDelete = !missing || !needsConfirmation(stored, missing)
  await caller.database.run([importStatements.finishCheck(), { ...values, planned, mayDelete }])
}

interface StepResult {
  /** Rows that the step worked on. */
  rows: number
  isLast?: boolean
}

/** Makes the next step. It is the last one if nothing is left to do. */
async function makeStep(env: Bindings, context: StepContext, chunk: StoredChunk | undefined): Promise<StepResult> {
  const { caller, stored } = context
  const values = { ...createStepValues(context), nowMs: Date.now() }
  if (stored.state === 'checking') {
    if (chunk && !stored.broken) return { rows: await checkRows(context, chunk) }
    await finishCheck(context, values)
    return { rows: 0, isLast: !stored.autoApply }
  }
  if (stored.state !== 'applying') return { rows: 0, isLast: true }
  if (chunk && !stored.deleting) {
    return {
      rows: await (stored.detailsState === 'writing' ? writeDetails(context, chunk) : applyRows(context, chunk)),
    }
  }
  if (!stored.deleting && (stored.detailsState === 'pending' || stored.detailsPass === 'again')) {
    const detailsPass = stored.detailsState === 'pending' ? 'first' : 'last'
    const start = { nextChunk: stored.revision * chunksPerReading, nextRow: 0 }
    await caller.database.run([importStatements.advanceDetails(), { ...values, detailsPass, ...start }])
  } else if (!stored.deleteMissing || stored.hasUnreadableRow || !(await deleteMissing(context))) {
    await finish(env, context)
    return { rows: 0, isLast: true }
  }
  return { rows: 0 }
}

/** Makes the next steps of an import, up to the limit of one message. Returns whether steps are left. */
export async function runImport(env: Bindings, waiting: Waiting, message: ImportMessage): Promise<boolean> {
  const startMs = Date.now()
  const database = merchantDatabase(env, { merchantId: message.merchant, home: undefined })
  database.usePrimary()
  const values = { merchantId: message.merchant, testMode: message.testMode, import: message.import }
  let maxRows: number = chunkLimits.rows
  for (let steps = 0; steps < messageLimits.steps && Date.now() - startMs < messageLimits.ms; steps++) {
    const stepStartMs = Date.now()
    const [[stored], [chunk], [first]] = await database.run(
      [importStatements.find(), values],
      [chunkStatements.findNext(), values],
      [importStatements.findFirst(), values],
    )
    if (!stored || (stored.state === 'applying' && first?.id !== stored.id)) return false
    let rows = 0
    try {
      const made = await makeStep(env, createContext(env, waiting, database, stored, maxRows), chunk)
      if (made.isLast) return false
      rows = made.rows
      maxRows = Math.min(chunkLimits.rows, maxRows * contention.growth)
    } catch (error) {
      if (isOutdated(error)) return false
      if (isContended(error)) maxRows = Math.ceil(maxRows / contention.shrinking)
      // If the last step of a message fails, it throws, so that the queue delays the next attempt.
      if (isContended(error) && !isGivingUp(stored) && steps + 1 < messageLimits.steps) continue
      const failed = { ...values, step: stored.step, now: nowInSeconds() }
      if (isChangedMeanwhile(error)) await countFailure(database, failed)
      if (isTemporary(error)) throw error
      if (isGivingUp(stored)) {
        log(env, 'import stopped', { ...message, error: String(error) })
        await stop(env, database, stored, failed)
        return false
      }
      await countFailure(database, failed)
      throw error
    }
    await pauseAfterStep(rows, Date.now() - stepStartMs)
    // An invocation may make 1,000 queries. Each row with details takes several queries, and so does each half of the rows of a step that gives up.
    if (isGivingUp(stored) || (stored.detailsState === 'writing' && !stored.deleting)) return true
  }
  return true
}

function createContext(
  env: Bindings,
  waiting: Waiting,
  database: Database,
  stored: StoredImport,
  maxRows: number,
): StepContext {
  return {
    caller: createImportCaller(env, waiting, database, stored),
    stored,
    maxRows,
    runBatch: (caller, operations, { finish, ...options }) =>
      runBatch(caller, operations, {
        ...options,
        findChangeSet: () => Promise.resolve(findImportSet(stored)),
        finish(results) {
          if (results.some(({ problem }) => problem?.code === 'precondition_failed')) throw preconditionFailed()
          return finish?.(results) ?? []
        },
        mode: 'independent',
        onTagChanges: (changes) => writeTagChanges(env, waiting, stored.merchantId, changes),
      }),
    onTagDetails: (ids) =>
      writeTagChanges(
        env,
        waiting,
        stored.merchantId,
        ids.map((id) => ({ id, deleted: false })),
      ),
  }
}
