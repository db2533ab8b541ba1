/** Screens that are one download: they share most of their parts, and compress better together. */
export { default as Coupons } from './coupons/coupons.tsx'
export { default as Customers } from './customers/customers.tsx'
export { default as Menus } from './menus/menus.tsx'
export { default as Modifiers } from './modifiers/modifiers.tsx'
export { default as Products } from './products/products.tsx'
export { default as SoldOut } from './sold-out/sold-out.tsx'
export { default as Today } from './today/today.tsx'
