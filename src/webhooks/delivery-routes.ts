import { Hono } from 'hono'
import type { Env } from '../platform/http/context.ts'
import { deliveryListRoutes } from './deliveries/delivery-list.ts'
import { resendRoutes } from './deliveries/resend-routes.ts'
import { testRoutes } from './deliveries/test-routes.ts'

/** Routes of a webhook's deliveries: the log, and requests to send. */
export const deliveryRoutes = new Hono<Env>()
  .route('/', deliveryListRoutes)
  .route('/', resendRoutes)
  .route('/', testRoutes)
