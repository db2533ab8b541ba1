import { Hono } from 'hono'
import type { Env } from '../../../platform/http/context.ts'
import { mappingRoutes } from './mapping-routes.ts'
import { templateRoutes } from './template-routes.ts'

/** Routes of imports that need the words and rules for tables of other systems. They load apart from the others. */
export const mappedRoutes = new Hono<Env>().route('/', templateRoutes).route('/', mappingRoutes)
