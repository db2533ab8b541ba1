import { app } from '../../src/app/app.ts'
import { lazyApps } from '../../src/app/lazy-apps.ts'

const loaded = await Promise.all(Array.from(new Set(lazyApps.map(({ load }) => load)), (load) => load()))

/** The routes of the service, including those that an isolate loads later. */
export const routes = [app, ...loaded].flatMap((part) => part.routes)
