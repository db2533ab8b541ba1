const later = 'unixepoch() + 86400'
/** Sets times of filled rows so that none is due, and lets nothing wait. */
export const settling = [
  `update availability set sold_out_until = ${later}`,
  `update option_availability set sold_out_until = ${later}`,
  `update service_states set paused_until = ${later}`,
  `update tag_requests set at = ${later}`,
  `update deliveries set state = 'delivered' where webhook > 10000`,
  'update idempotency_keys set at = unixepoch() where at < 10',
  'update stock_adjustments set at = unixepoch() where at < 10',
  'update orders set at = unixepoch() where at < 10',
  'update imports set updated_at = unixepoch(), created_at = unixepoch() where created_at < 10',
  `update pictures set check_at = ${later}, clean_at = 4000000000 where check_at < 10`,
  'update backups set taken_at = unixepoch() - taken_at, scrub_at = null where taken_at < 1000000',
  'update restores set leased_until = 0',
  'update coupons set key_form = 1 where key_form = 0',
]
/** Tables with one row for each merchant and mode, and those that hold rows only while a merchant is copied. */
export const ofMerchants = new Set(['merchants', 'homes', 'restores', 'backup_checks', 'home_objects', 'charges'])
export const ofCopies = new Set(['backup_captures', 'backup_changes', 'move_changes'])
