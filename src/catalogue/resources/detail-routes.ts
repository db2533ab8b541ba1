import { type Context, Hono } from 'hono'
import type { Env } from '../../platform/http/context.ts'
import type { ResourceDefinition } from '../resource/definition.ts'
import { createDetailRoutes } from '../resource/details/details-routes.ts'
import { resourceList } from './registry.ts'

const definitions: readonly ResourceDefinition[] = resourceList

/**
 * The operations on the details of all resources. Mounted behind the resources: `external` is no id. `onCopied` is called after a change of
 * details that KV has copies of.
 */
export const createAllDetailRoutes = (onCopied: (c: Context<Env>, id: string) => Promise<void>) =>
  definitions
    .filter(({ details }) => details !== undefined)
    .reduce(
      (routes, resource) =>
        routes.route(`/${resource.path}`, createDetailRoutes(resource, resource.isCopied ? onCopied : undefined)),
      new Hono<Env>(),
    )
