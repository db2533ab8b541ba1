import Operators from './operators/operators.tsx'
import Settings from './settings/settings.tsx'
import Transfer from './transfer/transfer.tsx'
import Venues from './venues/venues.tsx'
import Webhooks from './webhooks/webhooks.tsx'

/** Settings, webhooks, files, and the screens of the operator: what a venue seldom needs, in one file. */
export default { Operators, Settings, Transfer, Venues, Webhooks }
