import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parse } from 'smol-toml'
import * as z from 'zod'
import { CliError } from './cli-error.ts'
import { projectFolder } from './project-folder.ts'

const binding = z.object({ binding: z.string() })
const list = <Item extends z.ZodType>(item: Item) => z.array(item).default([])
const environment = z.object({
  vars: z.record(z.string(), z.unknown()).default({}),
  d1_databases: list(
    binding.extend({
      database_name: z.string(),
      database_id: z.string().optional(),
      preview_database_id: z.string().optional(),
    }),
  ),
  durable_objects: z.object({ bindings: list(z.object({ name: z.string() })) }).prefault({}),
  kv_namespaces: list(binding),
  r2_buckets: list(binding.extend({ bucket_name: z.string() })),
  queues: z
    .object({
      producers: list(binding.extend({ queue: z.string() })),
      consumers: list(z.object({ queue: z.string() })),
    })
    .prefault({}),
})
const configuration = environment.extend({ env: z.record(z.string(), environment).default({}) })
type Environment = z.output<typeof environment>
export type WranglerConfig = z.output<typeof configuration>

/** Reads `wrangler.toml`. wrangler's own function reads it too, but takes a second of CPU time to load. */
export async function readWranglerConfig(file = resolve(projectFolder, 'wrangler.toml')): Promise<WranglerConfig> {
  return configuration.parse(parse(await readFile(file, 'utf8')))
}

/** Returns the variables of an environment; without a name, those outside all environments. Environments do not inherit them. */
export const getVariables = (config: WranglerConfig, name: string | undefined) =>
  (name ? config.env[name] : config)?.vars ?? {}

const getBindingNames = ({ durable_objects, d1_databases, kv_namespaces, r2_buckets, queues }: Environment) => [
  ...durable_objects.bindings.map(({ name }) => name),
  ...[...d1_databases, ...kv_namespaces, ...r2_buckets, ...queues.producers].map((each) => each.binding),
]

/**
 * Returns an environment; without a name, the settings outside all environments. Environments do not inherit bindings. Throws if the environment does
 * not exist, lacks a binding, or has a queue without a consumer.
 */
export function requireEnvironment(config: WranglerConfig, name: string | undefined): Environment {
  if (!name) return config
  const found = config.env[name]
  if (!found) throw new CliError(`wrangler.toml has no [env.${name}].`)
  const bindings = new Set(getBindingNames(found))
  const consumed = new Set(found.queues.consumers.map(({ queue }) => queue))
  const missing = [
    ...getBindingNames(config).filter((each) => !bindings.has(each)),
    ...found.queues.producers.flatMap(({ queue }) => (consumed.has(queue) ? [] : `a consumer of the queue ${queue}`)),
  ]
  if (missing.length === 0) return found
  throw new CliError(
    `[env.${name}] of wrangler.toml lacks ${missing.join(', ')}. Environments do not inherit bindings.`,
  )
}
