/// <reference path="./sql-modules.d.ts" />
import m0000 from '../../../migrations/0000_resources.sql'
import m0001 from '../../../migrations/0001_search.sql'
import m0002 from '../../../migrations/0002_outbox.sql'
import m0003 from '../../../migrations/0003_tags.sql'
import m0004 from '../../../migrations/0004_audit.sql'
import m0005 from '../../../migrations/0005_subscriptions.sql'
import m0006 from '../../../migrations/0006_limits.sql'
import m0007 from '../../../migrations/0007_pending_by_webhook.sql'
import m0008 from '../../../migrations/0008_recovery.sql'
import m0009 from '../../../migrations/0009_external_ids.sql'
import m0010 from '../../../migrations/0010_checkout_settings.sql'
import m0011 from '../../../migrations/0011_stock.sql'
import m0012 from '../../../migrations/0012_coupon_limits.sql'
import m0013 from '../../../migrations/0013_idempotency_computed.sql'
import m0014 from '../../../migrations/0014_redemptions.sql'
import m0015 from '../../../migrations/0015_imports.sql'
import m0016 from '../../../migrations/0016_merchant_states.sql'
import m0017 from '../../../migrations/0017_closed_merchants.sql'
import m0018 from '../../../migrations/0018_pictures.sql'
import m0019 from '../../../migrations/0019_details.sql'
import m0020 from '../../../migrations/0020_sessions.sql'
import m0021 from '../../../migrations/0021_counters.sql'
import m0022 from '../../../migrations/0022_homes.sql'
import m0023 from '../../../migrations/0023_erasures.sql'
import m0024 from '../../../migrations/0024_backups.sql'
import m0025 from '../../../migrations/0025_venue_profile.sql'
import m0026 from '../../../migrations/0026_restores.sql'
import m0027 from '../../../migrations/0027_operator_sessions.sql'
import m0028 from '../../../migrations/0028_moves.sql'
import m0029 from '../../../migrations/0029_import_details.sql'
import m0030 from '../../../migrations/0030_people.sql'
import m0031 from '../../../migrations/0031_member_sessions.sql'
import m0032 from '../../../migrations/0032_passkey_titles.sql'
import m0033 from '../../../migrations/0033_import_failures.sql'
import m0034 from '../../../migrations/0034_restore_compared.sql'
import m0035 from '../../../migrations/0035_import_counters.sql'
import m0036 from '../../../migrations/0036_scrub_secrets.sql'
import m0037 from '../../../migrations/0037_assertions.sql'
import m0038 from '../../../migrations/0038_backup_snapshots.sql'
import m0039 from '../../../migrations/0039_clean_pictures.sql'
import m0040 from '../../../migrations/0040_import_titles.sql'
import m0041 from '../../../migrations/0041_hidden_objects.sql'
import m0042 from '../../../migrations/0042_purge_times.sql'
import m0043 from '../../../migrations/0043_option_availability.sql'
import m0044 from '../../../migrations/0044_scan_receipts.sql'
import m0045 from '../../../migrations/0045_change_order.sql'
import m0046 from '../../../migrations/0046_links_in_order.sql'
import m0047 from '../../../migrations/0047_import_details_pass.sql'
import m0048 from '../../../migrations/0048_coupon_codes.sql'
import m0049 from '../../../migrations/0049_merchant_notes.sql'
import m0050 from '../../../migrations/0050_code_keys.sql'
import m0051 from '../../../migrations/0051_order_types.sql'
import m0052 from '../../../migrations/0052_import_readings.sql'
import m0053 from '../../../migrations/0053_product_labels.sql'
import m0054 from '../../../migrations/0054_automatic_coupons.sql'
import m0055 from '../../../migrations/0055_orders.sql'
import m0056 from '../../../migrations/0056_venue_service.sql'
import m0057 from '../../../migrations/0057_import_matches.sql'
import m0058 from '../../../migrations/0058_imports_waiting.sql'
import m0059 from '../../../migrations/0059_import_confirmed_deletions.sql'
import m0060 from '../../../migrations/0060_managed_products.sql'
import m0061 from '../../../migrations/0061_import_mappings.sql'
import m0062 from '../../../migrations/0062_charges.sql'
import m0063 from '../../../migrations/0063_order_revisions.sql'
import m0064 from '../../../migrations/0064_service_states.sql'
import m0065 from '../../../migrations/0065_purged_orders.sql'
import m0066 from '../../../migrations/0066_event_history.sql'
import m0067 from '../../../migrations/0067_webhook_filters.sql'
import m0068 from '../../../migrations/0068_merchant_theme.sql'
import m0069 from '../../../migrations/0069_change_sets.sql'
import m0070 from '../../../migrations/0070_releases.sql'
import m0071 from '../../../migrations/0071_tag_destinations.sql'
import m0072 from '../../../migrations/0072_tag_requests.sql'
import m0073 from '../../../migrations/0073_key_addresses.sql'
import m0074 from '../../../migrations/0074_publish_by.sql'
import m0075 from '../../../migrations/0075_search_inside_words.sql'
import m0076 from '../../../migrations/0076_operators.sql'
import m0077 from '../../../migrations/0077_platform_keys.sql'
import m0078 from '../../../migrations/0078_staged_values.sql'
import m0079 from '../../../migrations/0079_scan_hours_and_invitation_names.sql'
import m0080 from '../../../migrations/0080_delivery_order.sql'
import m0081 from '../../../migrations/0081_audit_titles.sql'
import m0082 from '../../../migrations/0082_support_sessions.sql'
import m0083 from '../../../migrations/0083_platform_webhooks.sql'
import m0084 from '../../../migrations/0084_failed_requests.sql'
import m0085 from '../../../migrations/0085_scan_hours_in_counts.sql'
import m0086 from '../../../migrations/0086_subscribed_events.sql'
import currentSchema from './schema.sql'

/** The schema that the migrations create in an empty database. `npm run migration` writes it. */
export { currentSchema }
/** The migrations of this release, in order. `npm run migration` writes this file. */
export const migrations: readonly string[] = [
  m0000,
  m0001,
  m0002,
  m0003,
  m0004,
  m0005,
  m0006,
  m0007,
  m0008,
  m0009,
  m0010,
  m0011,
  m0012,
  m0013,
  m0014,
  m0015,
  m0016,
  m0017,
  m0018,
  m0019,
  m0020,
  m0021,
  m0022,
  m0023,
  m0024,
  m0025,
  m0026,
  m0027,
  m0028,
  m0029,
  m0030,
  m0031,
  m0032,
  m0033,
  m0034,
  m0035,
  m0036,
  m0037,
  m0038,
  m0039,
  m0040,
  m0041,
  m0042,
  m0043,
  m0044,
  m0045,
  m0046,
  m0047,
  m0048,
  m0049,
  m0050,
  m0051,
  m0052,
  m0053,
  m0054,
  m0055,
  m0056,
  m0057,
  m0058,
  m0059,
  m0060,
  m0061,
  m0062,
  m0063,
  m0064,
  m0065,
  m0066,
  m0067,
  m0068,
  m0069,
  m0070,
  m0071,
  m0072,
  m0073,
  m0074,
  m0075,
  m0076,
  m0077,
  m0078,
  m0079,
  m0080,
  m0081,
  m0082,
  m0083,
  m0084,
  m0085,
  m0086,
]
