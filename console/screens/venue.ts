/** Screens that are one download: they share most of their parts, and compress better together. */
export { default as Settings } from './settings/settings.tsx'
export { default as Tables } from './tables/tables.tsx'
export { default as Transfer } from './transfer/transfer.tsx'
export { default as Venues } from './venues/venues.tsx'
export { default as Webhooks } from './webhooks/webhooks.tsx'
