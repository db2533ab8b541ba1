import Operators from './operators/operators.tsx'
import Venues from './venues/venues.tsx'

/** The screens of the operator, in one file: who opens one opens the other. */
export default { Operators, Venues }
