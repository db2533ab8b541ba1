import * as z from 'zod/mini'
import { type Caller, createSenders } from '../../../catalogue/resource/caller.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Bindings } from '../../../platform/env.ts'
import type { StoredImport } from '../import-view.ts'

const hosts = z.array(z.string())

/** A caller for the steps of an import, on behalf of the key and the request that uploaded or applied it. */
export function createImportCaller(
  env: Bindings,
  context: Pick<ExecutionContext, 'waitUntil'>,
  database: Database,
  { merchantId, testMode, actor, requestId, baseUrl, ownHosts }: StoredImport,
): Caller {
  return {
    database,
    scope: { merchantId, testMode },
    actor,
    requestId: requestId ?? undefined,
    validationContext: {
      allowInsecureWebhooks: Boolean(env.ALLOW_INSECURE_WEBHOOKS),
      ownHosts: hosts.parse(ownHosts),
    },
    renderContext: { baseUrl: baseUrl ?? undefined },
    ...createSenders(env, merchantId, (sending) => context.waitUntil(sending)),
  }
}
