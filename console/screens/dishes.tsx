import Modifiers from './modifiers/modifiers.tsx'
import Products from './products/products.tsx'

/** The lists of products and modifiers, in one file: both are small, and share their editors. */
export default { Modifiers, Products }
