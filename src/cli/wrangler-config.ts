import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parse } from 'smol-toml'
import * as z from 'zod'
import { projectFolder } from './project-folder.ts'

const variables = z.record(z.string(), z.unknown()).default({})
const queueList = z.array(z.object({ queue: z.string() })).default([])
const configuration = z.object({
  vars: variables,
  d1_databases: z.array(
    z.object({
      binding: z.string(),
      database_name: z.string(),
      database_id: z.string().optional(),
      preview_database_id: z.string().optional(),
    }),
  ),
  r2_buckets: z.array(z.object({ bucket_name: z.string() })).default([]),
  queues: z.object({ producers: queueList, consumers: queueList }),
  env: z.record(z.string(), z.object({ vars: variables })).default({}),
})
export type WranglerConfig = z.output<typeof configuration>

/** Reads `wrangler.toml`. wrangler's own function reads it too, but takes a second of CPU time to load. */
export async function readWranglerConfig(file = resolve(projectFolder, 'wrangler.toml')): Promise<WranglerConfig> {
  return configuration.parse(parse(await readFile(file, 'utf8')))
}

/** Returns the variables of an environment; without a name, those outside all environments. Environments inherit none. */
export const getVariables = ({ vars, env }: WranglerConfig, name: string | undefined) =>
  name === undefined ? vars : (env[name]?.vars ?? {})
