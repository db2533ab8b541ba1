import Coupons from './coupons/coupons.tsx'
import Customers from './customers/customers.tsx'
import Modifiers from './modifiers/modifiers.tsx'
import Products from './products/products.tsx'
import SoldOut from './sold-out/sold-out.tsx'
import Tables from './tables/tables.tsx'
import Today from './today/today.tsx'

/** The lists of a venue, in one file: files that are compressed together are smaller. */
export default { Coupons, Customers, Modifiers, Products, SoldOut, Tables, Today }
