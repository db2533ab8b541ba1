CREATE TABLE `coupon_products` (
	`owner` integer NOT NULL,
	`target` integer NOT NULL,
	PRIMARY KEY(`owner`, `target`),
	FOREIGN KEY (`owner`) REFERENCES `coupons`(`seq`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`target`) REFERENCES `products`(`seq`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`hash` text NOT NULL,
	`test_mode` integer NOT NULL,
	`title` text,
	`scopes` text,
	`last4` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer, `allowed_ips` text CONSTRAINT "keys_allowed_ips" CHECK(json_type("keys"."allowed_ips") = 'array'),
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "keys_scopes" CHECK(json_type("keys"."scopes") = 'array')
);
CREATE TABLE `menu_products` (
	`owner` integer NOT NULL,
	`target` integer NOT NULL,
	PRIMARY KEY(`owner`, `target`),
	FOREIGN KEY (`owner`) REFERENCES `menus`(`seq`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`target`) REFERENCES `products`(`seq`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `product_modifiers` (
	`owner` integer NOT NULL,
	`target` integer NOT NULL,
	PRIMARY KEY(`owner`, `target`),
	FOREIGN KEY (`owner`) REFERENCES `products`(`seq`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`target`) REFERENCES `modifiers`(`seq`) ON UPDATE no action ON DELETE no action
);
CREATE VIRTUAL TABLE `products_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
CREATE VIRTUAL TABLE `modifiers_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
CREATE VIRTUAL TABLE `menus_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
CREATE VIRTUAL TABLE `coupons_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
CREATE VIRTUAL TABLE `customers_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
CREATE VIRTUAL TABLE `tags_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
CREATE VIRTUAL TABLE `webhooks_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
CREATE TABLE `deliveries` (
	`webhook` integer NOT NULL,
	`event` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempt` integer NOT NULL,
	`base` integer NOT NULL,
	`most` integer NOT NULL,
	`slow` integer NOT NULL,
	`leased_until` integer NOT NULL,
	`attempts` text NOT NULL, `shape` integer, `subject` text, `sequence` integer, `merchant_id` text,
	PRIMARY KEY(`webhook`, `event`),
	CONSTRAINT "deliveries_state" CHECK("deliveries"."state" in ('pending', 'delivered', 'failed', 'cancelled')),
	CONSTRAINT "deliveries_attempts" CHECK(json_type("deliveries"."attempts") = 'array')
) WITHOUT ROWID;
CREATE TABLE `events` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`version` integer NOT NULL,
	`at` integer NOT NULL,
	`row` text NOT NULL,
	`previous` text,
	`base_url` text,
	`payload` text, `external_id` text, `erased_at` integer, `object` text, `change_set` text, `context` text, `kept` text,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`)
) WITHOUT ROWID;
CREATE TABLE `scan_counts` (
	`merchant_id` text NOT NULL,
	`tag` text NOT NULL,
	`day` text NOT NULL,
	`channel` text NOT NULL,
	`count` integer NOT NULL, `receipts` text DEFAULT '' NOT NULL, `keeps_receipts` integer DEFAULT false NOT NULL, `hours` text, `test_mode` integer,
	PRIMARY KEY(`merchant_id`, `tag`, `day`, `channel`),
	CONSTRAINT "scan_counts_channel" CHECK("scan_counts"."channel" in ('qr', 'nfc', 'link'))
) WITHOUT ROWID;
CREATE TABLE `scan_receipts` (
	`id` text PRIMARY KEY NOT NULL
, `merchant_id` text) WITHOUT ROWID;
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) WITHOUT ROWID;
CREATE TABLE `tag_names` (
	`name` text PRIMARY KEY NOT NULL,
	`tag` integer, `merchant_id` text, `reserved_at` integer,
	FOREIGN KEY (`tag`) REFERENCES `tags`(`seq`) ON UPDATE no action ON DELETE set null
) WITHOUT ROWID;
CREATE TABLE `audit` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`key` text NOT NULL,
	`request_id` text,
	`operation` text NOT NULL,
	`object` text NOT NULL, `title` text,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`)
) WITHOUT ROWID;
CREATE TABLE `idempotency_keys` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`answer` text NOT NULL,
	`count` integer NOT NULL
, `computed` text, `merchant_id` text, `subjects` text);
CREATE TABLE `subscriptions` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`type` text NOT NULL,
	`webhook` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `type`, `webhook`)
) WITHOUT ROWID;
CREATE TABLE `coupons` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`code` text NOT NULL,
	`code_key` text NOT NULL,
	`type` text NOT NULL,
	`value` real NOT NULL,
	`description` text,
	`active` integer NOT NULL,
	`minimum_order_amount` real,
	`individual_use` integer NOT NULL,
	`times_redeemed` integer NOT NULL,
	`apply_to_all_products` integer NOT NULL,
	`products` text NOT NULL, `key_form` integer DEFAULT 0 NOT NULL, `automatic` integer,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "coupons_times" CHECK("coupons"."updated_at" >= "coupons"."created_at"),
	CONSTRAINT "coupons_version" CHECK("coupons"."version" >= 1),
	CONSTRAINT "coupons_value" CHECK(typeof("coupons"."value") in ('integer', 'real', 'null')),
	CONSTRAINT "coupons_type" CHECK("coupons"."type" in ('PERCENTAGE', 'FIXED')),
	CONSTRAINT "coupons_minimum" CHECK(typeof("coupons"."minimum_order_amount") in ('integer', 'real', 'null')),
	CONSTRAINT "coupons_redeemed" CHECK(typeof("coupons"."times_redeemed") in ('integer', 'real', 'null')),
	CONSTRAINT "coupons_flags" CHECK(("coupons"."active" in (0, 1) and "coupons"."individual_use" in (0, 1) and "coupons"."apply_to_all_products" in (0, 1))),
	CONSTRAINT "coupons_products" CHECK(json_type("coupons"."products") = 'array')
);
CREATE TABLE `customers` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text,
	`phone` text,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customers_times" CHECK("customers"."updated_at" >= "customers"."created_at"),
	CONSTRAINT "customers_version" CHECK("customers"."version" >= 1)
);
CREATE TABLE `menus` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`show_section_navigation` integer NOT NULL,
	`visible` integer NOT NULL,
	`all_day_menu` integer NOT NULL,
	`begin` text,
	`end` text,
	`branding` text NOT NULL,
	`sections` text NOT NULL,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "menus_times" CHECK("menus"."updated_at" >= "menus"."created_at"),
	CONSTRAINT "menus_version" CHECK("menus"."version" >= 1),
	CONSTRAINT "menus_flags" CHECK(("menus"."show_section_navigation" in (0, 1) and "menus"."visible" in (0, 1) and "menus"."all_day_menu" in (0, 1))),
	CONSTRAINT "menus_window" CHECK(case when "menus"."begin" is null then "menus"."end" is null and "menus"."all_day_menu" else "menus"."end" is not null and "menus"."begin" <> "menus"."end" end),
	CONSTRAINT "menus_begin" CHECK("menus"."begin" glob '[0-2][0-9][0-5][0-9]' and "menus"."begin" < '2400'),
	CONSTRAINT "menus_end" CHECK("menus"."end" glob '[0-2][0-9][0-5][0-9]' and "menus"."end" <= '2400'),
	CONSTRAINT "menus_branding" CHECK(json_type("menus"."branding") = 'object'),
	CONSTRAINT "menus_sections" CHECK(json_type("menus"."sections") = 'array')
);
CREATE TABLE `merchants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`timezone` text NOT NULL,
	`currency` text,
	`ordering_url` text,
	`sandbox_url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
, `prices_include_tax` integer DEFAULT true NOT NULL CONSTRAINT "merchants_prices_include_tax" CHECK("merchants"."prices_include_tax" in (0, 1)), `tax_rate` real DEFAULT 0 NOT NULL CONSTRAINT "merchants_tax_rate" CHECK(typeof("merchants"."tax_rate") in ('integer', 'real')), `tax_rounding` text DEFAULT 'rate' NOT NULL CONSTRAINT "merchants_tax_rounding" CHECK("merchants"."tax_rounding" in ('rate', 'line')), `day_starts_at` text DEFAULT '0400' NOT NULL CONSTRAINT "merchants_day_starts_at" CHECK("merchants"."day_starts_at" glob '[0-2][0-9][0-5][0-9]' and "merchants"."day_starts_at" < '2400'), `suspended_at` integer, `closed_at` integer, `deletes_at` integer, `language` text, `logo` text, `color` text, `address` text CONSTRAINT "merchants_address" CHECK(json_type("merchants"."address") = 'object'), `phone` text, `website` text, `opening_hours` text CONSTRAINT "merchants_opening_hours" CHECK(json_type("merchants"."opening_hours") = 'array'), `notes` text CONSTRAINT "merchants_notes" CHECK(json_type("merchants"."notes") = 'array'), `tax_rates` text CONSTRAINT "merchants_tax_rates" CHECK(json_type("merchants"."tax_rates") = 'object'), `cash_rounding` real CONSTRAINT "merchants_cash_rounding" CHECK(typeof("merchants"."cash_rounding") in ('null', 'integer', 'real')), `closures` text CONSTRAINT "merchants_closures" CHECK(json_type("merchants"."closures") = 'array'), `special_hours` text CONSTRAINT "merchants_special_hours" CHECK(json_type("merchants"."special_hours") = 'array'), `hours_close` integer DEFAULT false NOT NULL CONSTRAINT "merchants_hours_close" CHECK("merchants"."hours_close" in (0, 1)), `theme` text, `destination_hosts` text CONSTRAINT "merchants_destination_hosts" CHECK(json_type("merchants"."destination_hosts") = 'array'), `menu_bar` text CONSTRAINT "merchants_menu_bar" CHECK(json_type("merchants"."menu_bar") = 'object'), `publish_by` text, `support_access` text);
CREATE TABLE `modifiers` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`instructions` text NOT NULL,
	`description` text,
	`type` text NOT NULL,
	`rules` text NOT NULL,
	`options` text NOT NULL,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "modifiers_times" CHECK("modifiers"."updated_at" >= "modifiers"."created_at"),
	CONSTRAINT "modifiers_version" CHECK("modifiers"."version" >= 1),
	CONSTRAINT "modifiers_type" CHECK("modifiers"."type" in ('CHECKBOX', 'RADIO')),
	CONSTRAINT "modifiers_rules" CHECK(json_type("modifiers"."rules") = 'object'),
	CONSTRAINT "modifiers_options" CHECK(json_type("modifiers"."options") = 'array')
);
CREATE TABLE `products` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`price` real NOT NULL,
	`description` text,
	`visible` integer NOT NULL,
	`taxable` integer NOT NULL,
	`use_custom_tax_rate` integer NOT NULL,
	`tax_rate` real,
	`calories` integer,
	`manage_stock` integer NOT NULL,
	`stock_quantity` real,
	`type` text NOT NULL,
	`upc` text,
	`sku` text,
	`images` text NOT NULL,
	`metadata` text NOT NULL,
	`modifiers` text NOT NULL,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "products_times" CHECK("products"."updated_at" >= "products"."created_at"),
	CONSTRAINT "products_version" CHECK("products"."version" >= 1),
	CONSTRAINT "products_price" CHECK(typeof("products"."price") in ('integer', 'real', 'null')),
	CONSTRAINT "products_tax_rate" CHECK(typeof("products"."tax_rate") in ('integer', 'real', 'null')),
	CONSTRAINT "products_calories" CHECK(typeof("products"."calories") in ('integer', 'real', 'null')),
	CONSTRAINT "products_type" CHECK("products"."type" = 'SIMPLE'),
	CONSTRAINT "products_flags" CHECK(("products"."visible" in (0, 1) and "products"."taxable" in (0, 1) and "products"."use_custom_tax_rate" in (0, 1) and "products"."manage_stock" in (0, 1))),
	CONSTRAINT "products_images" CHECK(json_type("products"."images") = 'array'),
	CONSTRAINT "products_metadata" CHECK(json_type("products"."metadata") = 'array'),
	CONSTRAINT "products_modifiers" CHECK(json_type("products"."modifiers") = 'array')
);
CREATE TABLE `tags` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`nfc` integer NOT NULL,
	`metadata` text NOT NULL,
	`code` text NOT NULL,
	`legacy` text,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tags_times" CHECK("tags"."updated_at" >= "tags"."created_at"),
	CONSTRAINT "tags_version" CHECK("tags"."version" >= 1),
	CONSTRAINT "tags_flags" CHECK(("tags"."nfc" in (0, 1) and "tags"."test_mode" in (0, 1))),
	CONSTRAINT "tags_metadata" CHECK(json_type("tags"."metadata") = 'array')
);
CREATE TABLE `webhooks` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`active` integer NOT NULL,
	`disabled_reason` text,
	`bearer_token` text NOT NULL,
	`secrets` text NOT NULL,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`probe_at` integer, `filter` text, `filter_version` integer, `shape` integer, `shapes` text,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhooks_times" CHECK("webhooks"."updated_at" >= "webhooks"."created_at"),
	CONSTRAINT "webhooks_version" CHECK("webhooks"."version" >= 1),
	CONSTRAINT "webhooks_events" CHECK(json_type("webhooks"."events") = 'array'),
	CONSTRAINT "webhooks_flags" CHECK("webhooks"."active" in (0, 1)),
	CONSTRAINT "webhooks_secrets" CHECK(json_type("webhooks"."secrets") = 'array')
);
CREATE TABLE `external_ids` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`resource` text NOT NULL,
	`external_id` text NOT NULL,
	`object` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `resource`, `external_id`)
);
CREATE TABLE `availability` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`product` text NOT NULL,
	`sold_out_until` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `product`)
);
CREATE TABLE `stock_adjustments` (
	`seq` integer PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`reference` text NOT NULL,
	`reason` text NOT NULL,
	`request_hash` text NOT NULL,
	`change` text NOT NULL,
	`order_event` text,
	`changes` text NOT NULL,
	`at` integer NOT NULL, `order_reference` text, `order_key` text,
	CONSTRAINT "stock_adjustments_changes" CHECK(json_type("stock_adjustments"."changes") = 'array')
);
CREATE TABLE `coupon_limits` (
	`coupon` integer PRIMARY KEY NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`max_redemptions` integer,
	`max_redemptions_per_customer` integer,
	`max_discount` real,
	`version` integer NOT NULL, `codes_only` integer, `days` text, `begin` text, `end` text, `order_types` text,
	FOREIGN KEY (`coupon`) REFERENCES `coupons`(`seq`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "coupon_limits_period" CHECK("coupon_limits"."ends_at" > "coupon_limits"."starts_at"),
	CONSTRAINT "coupon_limits_redemptions" CHECK("coupon_limits"."max_redemptions" >= 1 and "coupon_limits"."max_redemptions_per_customer" >= 1),
	CONSTRAINT "coupon_limits_discount" CHECK(typeof("coupon_limits"."max_discount") in ('integer', 'real', 'null')),
	CONSTRAINT "coupon_limits_version" CHECK("coupon_limits"."version" >= 1)
);
CREATE TABLE `redemptions` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`coupon` text NOT NULL,
	`code` text NOT NULL,
	`code_key` text NOT NULL,
	`order_id` text NOT NULL,
	`customer` text,
	`amount` real,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`change` text NOT NULL,
	`order_event` text,
	`order_hash` text, `order_reference` text,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "redemptions_state" CHECK("redemptions"."state" in ('held', 'redeemed', 'released', 'expired'))
);
CREATE TABLE `import_chunks` (
	`import_id` text NOT NULL,
	`position` integer NOT NULL,
	`merchant_id` text NOT NULL,
	`resource` text NOT NULL,
	`rows` text NOT NULL,
	`file_ids` text NOT NULL,
	`external_ids` text NOT NULL,
	`object_ids` text NOT NULL,
	`faulty` integer NOT NULL, `matches` text DEFAULT '{}' NOT NULL,
	PRIMARY KEY(`import_id`, `position`)
);
CREATE TABLE `import_issues` (
	`import_id` text NOT NULL,
	`id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`row` integer NOT NULL,
	`column` text,
	`pointer` text,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`value` text,
	PRIMARY KEY(`import_id`, `id`)
);
CREATE TABLE `imports` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`resource` text,
	`resources` text NOT NULL,
	`format` text NOT NULL,
	`match` text NOT NULL,
	`delete_missing` integer NOT NULL,
	`auto_apply` integer NOT NULL,
	`state` text NOT NULL,
	`broken` integer NOT NULL,
	`has_unreadable_row` integer NOT NULL,
	`header` text,
	`delimiter` text,
	`rows` integer NOT NULL,
	`checked` integer NOT NULL,
	`applied` integer NOT NULL,
	`created` integer NOT NULL,
	`updated` integer NOT NULL,
	`unchanged` integer NOT NULL,
	`deleted` integer NOT NULL,
	`failed` integer NOT NULL,
	`step` integer NOT NULL,
	`next_chunk` integer NOT NULL,
	`next_row` integer NOT NULL,
	`deleting` integer NOT NULL,
	`deleted_through` integer NOT NULL,
	`actor` text NOT NULL,
	`request_id` text,
	`base_url` text,
	`own_hosts` text NOT NULL,
	`queued_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `details_state` text DEFAULT 'none' NOT NULL, `failures` integer DEFAULT 0 NOT NULL, `failed_at` integer DEFAULT 0 NOT NULL, `set_counters` integer DEFAULT false NOT NULL, `differing` text DEFAULT '{}' NOT NULL, `keep_existing` integer DEFAULT false NOT NULL, `outcomes` text DEFAULT '{}' NOT NULL, `details_pass` text DEFAULT 'first' NOT NULL, `mapping` text DEFAULT 'strict' NOT NULL, `reading` text, `revision` integer DEFAULT 0 NOT NULL, `planned` text DEFAULT '{}' NOT NULL, `confirm_deletes` integer,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "imports_step" CHECK("imports"."step" >= 0)
);
CREATE TABLE `pictures` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`digest` text NOT NULL,
	`widths` text NOT NULL,
	`bytes` integer NOT NULL,
	`is_logo` integer NOT NULL,
	`unused_since` integer,
	`check_at` integer NOT NULL,
	`deleting` integer NOT NULL, `clean_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `digest`),
	CONSTRAINT "pictures_widths" CHECK(json_type("pictures"."widths") = 'array'),
	CONSTRAINT "pictures_flags" CHECK("pictures"."is_logo" in (0, 1) and "pictures"."deleting" in (0, 1))
);
CREATE TABLE `details` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`resource` text NOT NULL,
	`object` integer NOT NULL,
	`data` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `resource`, `object`),
	CONSTRAINT "details_data" CHECK(json_type("details"."data") = 'object'),
	CONSTRAINT "details_version" CHECK("details"."version" >= 1)
);
CREATE TABLE `translations` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`resource` text NOT NULL,
	`object` integer NOT NULL,
	`language` text NOT NULL,
	`texts` text NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `resource`, `object`, `language`),
	CONSTRAINT "translations_texts" CHECK(json_type("translations"."texts") = 'object')
);
CREATE TABLE `counters` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
CREATE TABLE `home_objects` (
	`object` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`merchant_id` text NOT NULL,
	`created_at` integer NOT NULL
);
CREATE TABLE `homes` (
	`merchant_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`object` integer,
	`location` text,
	`jurisdiction` text, `moving` integer DEFAULT false NOT NULL, `fenced_until` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "homes_kind" CHECK("homes"."kind" in ('d1', 'object')),
	CONSTRAINT "homes_object" CHECK("homes"."kind" = 'd1' or "homes"."object" is not null)
);
CREATE TABLE `erasures` (
	`merchant_id` text NOT NULL,
	`customer_hash` text NOT NULL,
	`erased_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `customer_hash`)
);
CREATE TABLE `backup_checks` (
	`merchant_id` text PRIMARY KEY NOT NULL,
	`enqueued_at` integer NOT NULL,
	`checked_at` integer,
	`taken_at` integer,
	`fingerprint` text
);
CREATE TABLE `backups` (
	`merchant_id` text NOT NULL,
	`taken_at` integer NOT NULL,
	`bytes` integer,
	`rows` integer, `scrub_at` integer DEFAULT 0, `sha256` text, `checked_at` integer, `damage` text,
	PRIMARY KEY(`merchant_id`, `taken_at`)
);
CREATE TABLE `restores` (
	`merchant_id` text PRIMARY KEY NOT NULL,
	`taken_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`state` text NOT NULL,
	`settled_at` integer NOT NULL,
	`suspended_at` integer,
	`saved_at` integer,
	`lines` integer NOT NULL,
	`omitted` text NOT NULL,
	`leased_until` integer NOT NULL,
	`finished_at` integer, `compared_at` integer, `attempts` integer DEFAULT 0 NOT NULL, `reason` text,
	CONSTRAINT "restores_state" CHECK("restores"."state" in ('saving', 'deleting', 'loading', 'done')),
	CONSTRAINT "restores_omitted" CHECK(json_type("restores"."omitted") = 'object')
);
CREATE TABLE `operator_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`user_agent` text
, `asserted_at` integer, `operator_id` text REFERENCES operators(id));
CREATE TABLE `move_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`merchant_id` text NOT NULL,
	`entry` text NOT NULL,
	`key` text NOT NULL
);
CREATE TABLE `moves` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`merchant_id` text NOT NULL,
	`state` text NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`position` text,
	`rows` integer DEFAULT 0 NOT NULL,
	`lease` integer DEFAULT 0 NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`fenced_ms` integer,
	`reason` text,
	`cleans_at` integer,
	CONSTRAINT "moves_state" CHECK("moves"."state" in ('copying', 'fenced', 'verifying', 'done', 'failed'))
);
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`hash` text NOT NULL,
	`role` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL, `name` text,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_role" CHECK("invitations"."role" in ('owner', 'manager', 'staff', 'developer'))
);
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person` text NOT NULL,
	`public_key` text NOT NULL,
	`algorithm` integer NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer, `title` text,
	CONSTRAINT "passkeys_transports" CHECK(json_type("passkeys"."transports") = 'array')
);
CREATE TABLE `used_challenges` (
	`id` text PRIMARY KEY NOT NULL
);
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`person` text NOT NULL,
	`role` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_role" CHECK("users"."role" in ('owner', 'manager', 'staff', 'developer'))
);
CREATE TABLE `notice_marks` (
	`passkey` text NOT NULL,
	`user_id` text NOT NULL,
	`notice` text NOT NULL,
	PRIMARY KEY(`passkey`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`person` text NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`passkey` text NOT NULL,
	`title` text,
	`session_id` text NOT NULL,
	`venue` text NOT NULL
);
CREATE TABLE `backup_captures` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`merchant_id` text NOT NULL,
	`ends_at` integer NOT NULL
);
CREATE TABLE `backup_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`capture` integer NOT NULL,
	`entry` text NOT NULL,
	`key` text NOT NULL
);
CREATE TABLE `gone_webhooks` (
	`webhook` integer PRIMARY KEY NOT NULL
);
CREATE TABLE `purges` (
	`name` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL
);
CREATE TABLE `option_availability` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`modifier` text NOT NULL,
	`option` text NOT NULL,
	`sold_out_until` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `modifier`, `option`)
);
CREATE TABLE `coupon_code_batches` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`coupon` text NOT NULL,
	`count` integer NOT NULL,
	`prefix` text,
	`created_at` integer NOT NULL,
	`gone_at` integer,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "coupon_code_batches_count" CHECK("coupon_code_batches"."count" >= 1)
);
CREATE TABLE `coupon_codes` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`code_key` text NOT NULL,
	`code` text NOT NULL,
	`coupon` text NOT NULL,
	`batch` text NOT NULL,
	`redemption` text,
	PRIMARY KEY(`merchant_id`, `test_mode`, `code_key`)
);
CREATE TABLE `product_labels` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`label` text NOT NULL,
	`owner` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `label`, `owner`)
);
CREATE TABLE `orders` (
	`seq` integer PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`reference` text NOT NULL,
	`event` text NOT NULL,
	`state` text NOT NULL,
	`stock` text NOT NULL,
	`redemptions` text NOT NULL,
	`request_hash` text,
	`key_id` text,
	`change` text NOT NULL,
	`skipped` text NOT NULL,
	`at` integer NOT NULL, `revision` integer, `revision_hash` text, `released` text,
	CONSTRAINT "orders_state" CHECK("orders"."state" in ('open', 'cancelled')),
	CONSTRAINT "orders_stock" CHECK(json_type("orders"."stock") = 'array'),
	CONSTRAINT "orders_redemptions" CHECK(json_type("orders"."redemptions") = 'array'),
	CONSTRAINT "orders_skipped" CHECK(json_type("orders"."skipped") = 'array')
);
CREATE TABLE `import_mappings` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`resource` text NOT NULL,
	`headings` text NOT NULL,
	`choices` text NOT NULL,
	`used_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `resource`, `headings`)
);
CREATE TABLE `charges` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`charges` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`),
	CONSTRAINT "charges_charges" CHECK(json_type("charges"."charges") = 'array'),
	CONSTRAINT "charges_version" CHECK("charges"."version" >= 1)
);
CREATE TABLE `service_states` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`paused_until` integer,
	`message` text,
	`prep_minutes` integer,
	PRIMARY KEY(`merchant_id`, `test_mode`)
);
CREATE TABLE `change_sets` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`actor` text NOT NULL,
	`name` text,
	`created` integer NOT NULL,
	`updated` integer NOT NULL,
	`deleted` integer NOT NULL,
	`state` text NOT NULL,
	`undone_by` text,
	`undoes` text,
	`progress` text,
	`step` integer DEFAULT 0 NOT NULL,
	`conflicts` text,
	`conflict_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "change_sets_step" CHECK("change_sets"."step" >= 0)
);
CREATE TABLE `release_operations` (
	`release_id` text NOT NULL,
	`path` text NOT NULL,
	`target` text NOT NULL,
	`merchant_id` text NOT NULL,
	`verb` text NOT NULL,
	`external_id` text,
	`title` text,
	`parts` text NOT NULL,
	`base` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`release_id`, `target`),
	FOREIGN KEY (`release_id`) REFERENCES `releases`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `releases` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`title` text NOT NULL,
	`note` text,
	`state` text NOT NULL,
	`publish_at` integer,
	`version` integer NOT NULL,
	`changes` integer NOT NULL,
	`bytes` integer NOT NULL,
	`author` text NOT NULL,
	`scheduled_by` text,
	`base_url` text,
	`published_at` integer,
	`published_by` text,
	`change_set` text,
	`failure` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "releases_version" CHECK("releases"."version" > 0)
);
CREATE TABLE `tag_requests` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`tag` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`done_at` integer,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "tag_requests_kind" CHECK("tag_requests"."kind" in ('call', 'bill'))
);
CREATE TABLE `operators` (
	`id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`person` text,
	`invitation_hash` text,
	`invited_until` integer,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`removed_at` integer,
	CONSTRAINT "operators_role" CHECK("operators"."role" in ('admin', 'support'))
);
CREATE TABLE `platform_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`title` text NOT NULL,
	`scopes` text NOT NULL,
	`allowed_ips` text,
	`last4` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	CONSTRAINT "platform_keys_allowed_ips" CHECK(json_type("platform_keys"."allowed_ips") = 'array'),
	CONSTRAINT "platform_keys_scopes" CHECK(json_type("platform_keys"."scopes") = 'array')
);
CREATE TABLE `staged_values` (
	`merchant_id` text NOT NULL,
	`id` text NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`merchant_id`, `id`)
);
CREATE TABLE `scan_hours` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`day` text NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `day`),
	CONSTRAINT "scan_hours_mode" CHECK("scan_hours"."test_mode" in (0, 1)),
	CONSTRAINT "scan_hours_counts" CHECK(json_type("scan_hours"."counts") = 'array')
);
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`key_id` text,
	`user_id` text,
	`operator_id` text,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`user_agent` text,
	`passkey` text,
	`asserted_at` integer,
	`reason` text,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`key_id`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sessions_subject" CHECK(("sessions"."key_id" is not null) + ("sessions"."user_id" is not null) + ("sessions"."operator_id" is not null) = 1),
	CONSTRAINT "sessions_reason" CHECK(("sessions"."operator_id" is null) = ("sessions"."reason" is null))
);
CREATE TABLE `platform_backlogs` (
	`webhook` integer NOT NULL,
	`merchant_id` text NOT NULL,
	`parked` integer NOT NULL,
	PRIMARY KEY(`webhook`, `merchant_id`),
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `platform_webhooks` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`merchants` text,
	`active` integer NOT NULL,
	`disabled_reason` text,
	`bearer_token` text NOT NULL,
	`secrets` text NOT NULL,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`probe_at` integer,
	`filter` text,
	`filter_version` integer NOT NULL,
	`shape` integer,
	`shapes` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "platform_webhooks_events" CHECK(json_type("platform_webhooks"."events") = 'array'),
	CONSTRAINT "platform_webhooks_merchants" CHECK(json_type("platform_webhooks"."merchants") = 'array'),
	CONSTRAINT "platform_webhooks_secrets" CHECK(json_type("platform_webhooks"."secrets") = 'array')
);
CREATE TABLE `failed_requests` (
	`merchant_id` text NOT NULL,
	`key_id` text NOT NULL,
	`day` integer NOT NULL,
	`request` text NOT NULL,
	`test_mode` integer NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `key_id`, `day`, `request`),
	CONSTRAINT "failed_requests_mode" CHECK("failed_requests"."test_mode" in (0, 1))
);
INSERT INTO "settings" ("name","value") VALUES ('signing',lower(hex(randomblob(32))));
INSERT INTO "purges" ("name","due_at") VALUES ('scan_receipts',0);
INSERT INTO "purges" ("name","due_at") VALUES ('idempotency_keys',0);
INSERT INTO "purges" ("name","due_at") VALUES ('stock_adjustments',0);
INSERT INTO "purges" ("name","due_at") VALUES ('imports',0);
INSERT INTO "purges" ("name","due_at") VALUES ('import_chunks',0);
INSERT INTO "purges" ("name","due_at") VALUES ('import_issues',0);
INSERT INTO "purges" ("name","due_at") VALUES ('sessions',0);
INSERT INTO "purges" ("name","due_at") VALUES ('operator_sessions',0);
INSERT INTO "purges" ("name","due_at") VALUES ('invitations',0);
INSERT INTO "purges" ("name","due_at") VALUES ('used_challenges',0);
INSERT INTO "purges" ("name","due_at") VALUES ('notices',0);
INSERT INTO "purges" ("name","due_at") VALUES ('scan_counts',0);
INSERT INTO "purges" ("name","due_at") VALUES ('coupon_codes',0);
INSERT INTO "purges" ("name","due_at") VALUES ('coupon_code_batches',0);
INSERT INTO "purges" ("name","due_at") VALUES ('orders',0);
INSERT INTO "purges" ("name","due_at") VALUES ('releases',0);
INSERT INTO "purges" ("name","due_at") VALUES ('staged_values',0);
INSERT INTO "purges" ("name","due_at") VALUES ('failed_requests',0);
CREATE UNIQUE INDEX `keys_hash` ON `keys` (`hash`);
CREATE INDEX `keys_list` ON `keys` (`merchant_id`,`id`);
CREATE INDEX `events_seq` ON `events` (`merchant_id`,`test_mode`,`seq`);
CREATE INDEX `tag_names_tag` ON `tag_names` (`tag`);
CREATE INDEX `audit_object` ON `audit` (`merchant_id`,`test_mode`,`object`,`id`);
CREATE UNIQUE INDEX `idempotency_keys_id` ON `idempotency_keys` (`id`);
CREATE UNIQUE INDEX `coupons_id` ON `coupons` (`merchant_id`,`test_mode`,`id`);
CREATE INDEX `coupons_active` ON `coupons` (`merchant_id`,`test_mode`,`active`,`id`);
CREATE UNIQUE INDEX `coupons_code` ON `coupons` (`merchant_id`,`test_mode`,`code_key`);
CREATE UNIQUE INDEX `customers_id` ON `customers` (`merchant_id`,`test_mode`,`id`);
CREATE INDEX `customers_email` ON `customers` (`merchant_id`,`test_mode`,`email`,`id`) WHERE "customers"."email" is not null;
CREATE INDEX `customers_phone` ON `customers` (`merchant_id`,`test_mode`,`phone`,`id`) WHERE "customers"."phone" is not null;
CREATE UNIQUE INDEX `menus_id` ON `menus` (`merchant_id`,`test_mode`,`id`);
CREATE INDEX `menus_visible` ON `menus` (`merchant_id`,`test_mode`,`visible`,`id`);
CREATE UNIQUE INDEX `modifiers_id` ON `modifiers` (`merchant_id`,`test_mode`,`id`);
CREATE UNIQUE INDEX `products_id` ON `products` (`merchant_id`,`test_mode`,`id`);
CREATE INDEX `products_visible` ON `products` (`merchant_id`,`test_mode`,`visible`,`id`);
CREATE INDEX `products_sku` ON `products` (`merchant_id`,`test_mode`,`sku`,`id`) WHERE "products"."sku" is not null;
CREATE INDEX `products_upc` ON `products` (`merchant_id`,`test_mode`,`upc`,`id`) WHERE "products"."upc" is not null;
CREATE UNIQUE INDEX `tags_id` ON `tags` (`merchant_id`,`test_mode`,`id`);
CREATE INDEX `tags_nfc` ON `tags` (`merchant_id`,`test_mode`,`nfc`,`id`);
CREATE UNIQUE INDEX `tags_both` ON `tags` (`merchant_id`,`id`);
CREATE INDEX `tags_both_nfc` ON `tags` (`merchant_id`,`nfc`,`id`);
CREATE UNIQUE INDEX `webhooks_id` ON `webhooks` (`merchant_id`,`test_mode`,`id`);
CREATE INDEX `webhooks_active` ON `webhooks` (`merchant_id`,`test_mode`,`active`,`id`);
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook`,`due_at`) WHERE "deliveries"."state" = 'pending';
CREATE INDEX `deliveries_lost` ON `deliveries` (`webhook`,`event`) WHERE "deliveries"."state" in ('failed', 'cancelled');
CREATE UNIQUE INDEX `external_ids_object` ON `external_ids` (`resource`,`object`);
CREATE INDEX `availability_until` ON `availability` (`sold_out_until`);
CREATE UNIQUE INDEX `stock_adjustments_reference` ON `stock_adjustments` (`merchant_id`,`test_mode`,`reference`);
CREATE UNIQUE INDEX `redemptions_once` ON `redemptions` (`merchant_id`,`test_mode`,`coupon`,`order_id`) WHERE "redemptions"."state" <> 'expired';
CREATE INDEX `redemptions_order` ON `redemptions` (`merchant_id`,`test_mode`,`order_id`,`id`);
CREATE INDEX `redemptions_coupon` ON `redemptions` (`merchant_id`,`test_mode`,`coupon`,`id`);
CREATE INDEX `redemptions_customer` ON `redemptions` (`merchant_id`,`test_mode`,`customer`,`id`) WHERE "redemptions"."customer" is not null;
CREATE INDEX `redemptions_state` ON `redemptions` (`merchant_id`,`test_mode`,`state`,`id`);
CREATE INDEX `redemptions_holds` ON `redemptions` (`merchant_id`,`test_mode`,`coupon`,`expires_at`) WHERE "redemptions"."state" = 'held';
CREATE INDEX `import_issues_row` ON `import_issues` (`import_id`,`row`);
CREATE INDEX `imports_id` ON `imports` (`id`);
CREATE INDEX `merchants_deletes` ON `merchants` (`deletes_at`) WHERE "merchants"."deletes_at" is not null;
CREATE INDEX `pictures_check` ON `pictures` (`check_at`);
CREATE INDEX `pictures_bytes` ON `pictures` (`merchant_id`,`bytes`);
CREATE INDEX `translations_language` ON `translations` (`merchant_id`,`test_mode`,`language`);
CREATE INDEX `tag_names_elsewhere` ON `tag_names` (`merchant_id`,`name`) WHERE "tag_names"."tag" is null;
CREATE INDEX `tag_names_reserved` ON `tag_names` (`reserved_at`) WHERE "tag_names"."reserved_at" is not null;
CREATE INDEX `events_erased` ON `events` (`merchant_id`,`test_mode`,`id`) WHERE "events"."erased_at" is not null;
CREATE INDEX `idempotency_keys_subjects` ON `idempotency_keys` (`merchant_id`) WHERE coalesce("idempotency_keys"."subjects", "idempotency_keys"."computed") is not null;
CREATE UNIQUE INDEX `operator_sessions_hash` ON `operator_sessions` (`hash`);
CREATE INDEX `move_changes_merchant` ON `move_changes` (`merchant_id`,`number`);
CREATE INDEX `moves_merchant` ON `moves` (`merchant_id`,`number`);
CREATE UNIQUE INDEX `moves_active` ON `moves` (`merchant_id`) WHERE "moves"."state" in ('copying', 'fenced', 'verifying');
CREATE INDEX `moves_cleaning` ON `moves` (`cleans_at`) WHERE "moves"."cleans_at" is not null;
CREATE INDEX `homes_moving` ON `homes` (`merchant_id`) WHERE "homes"."moving";
CREATE UNIQUE INDEX `invitations_hash` ON `invitations` (`hash`);
CREATE INDEX `invitations_list` ON `invitations` (`merchant_id`,`id`);
CREATE INDEX `passkeys_person` ON `passkeys` (`person`);
CREATE INDEX `users_list` ON `users` (`merchant_id`,`id`);
CREATE UNIQUE INDEX `users_person` ON `users` (`person`,`merchant_id`);
CREATE INDEX `backups_scrub` ON `backups` (`scrub_at`) WHERE "backups"."scrub_at" is not null;
CREATE INDEX `events_secrets` ON `events` (`merchant_id`,`test_mode`,`id`) WHERE "events"."type" = 'webhook.updated' and instr("events"."previous", '"secrets"') > 0;
CREATE INDEX `webhooks_retired` ON `webhooks` (`id`) WHERE instr("webhooks"."secrets", '"retiredAt"') > 0;
CREATE INDEX `notice_marks_user` ON `notice_marks` (`user_id`);
CREATE INDEX `notices_person` ON `notices` (`person`,`id`);
CREATE INDEX `backup_captures_merchant` ON `backup_captures` (`merchant_id`);
CREATE INDEX `backup_changes_capture` ON `backup_changes` (`capture`,`number`);
CREATE INDEX `pictures_clean` ON `pictures` (`clean_at`);
CREATE INDEX `modifiers_hidden` ON `modifiers` (`merchant_id`,`test_mode`,`id`) WHERE "modifiers"."test_mode" > 1;
CREATE INDEX `products_hidden` ON `products` (`merchant_id`,`test_mode`,`id`) WHERE "products"."test_mode" > 1;
CREATE INDEX `purges_due` ON `purges` (`due_at`);
CREATE INDEX `backup_checks_due` ON `backup_checks` (`checked_at`,`enqueued_at`);
CREATE INDEX `backups_taken` ON `backups` (`taken_at`);
CREATE INDEX `option_availability_until` ON `option_availability` (`sold_out_until`);
CREATE INDEX `scan_counts_receipts` ON `scan_counts` (`day`) WHERE "scan_counts"."keeps_receipts";
CREATE INDEX `coupons_updated` ON `coupons` (`merchant_id`,`test_mode`,`updated_at`,`id`);
CREATE INDEX `customers_updated` ON `customers` (`merchant_id`,`test_mode`,`updated_at`,`id`);
CREATE INDEX `menus_updated` ON `menus` (`merchant_id`,`test_mode`,`updated_at`,`id`);
CREATE INDEX `modifiers_updated` ON `modifiers` (`merchant_id`,`test_mode`,`updated_at`,`id`);
CREATE INDEX `products_updated` ON `products` (`merchant_id`,`test_mode`,`updated_at`,`id`);
CREATE INDEX `tags_updated` ON `tags` (`merchant_id`,`test_mode`,`updated_at`,`id`);
CREATE INDEX `tags_both_updated` ON `tags` (`merchant_id`,`updated_at`,`id`);
CREATE INDEX `webhooks_updated` ON `webhooks` (`merchant_id`,`test_mode`,`updated_at`,`id`);
CREATE INDEX `coupon_products_target` ON `coupon_products` (`target`,`owner`);
CREATE INDEX `menu_products_target` ON `menu_products` (`target`,`owner`);
CREATE INDEX `product_modifiers_target` ON `product_modifiers` (`target`,`owner`);
CREATE INDEX `coupon_code_batches_coupon` ON `coupon_code_batches` (`merchant_id`,`test_mode`,`coupon`,`id`);
CREATE INDEX `coupon_code_batches_gone` ON `coupon_code_batches` (`gone_at`) WHERE "coupon_code_batches"."gone_at" is not null;
CREATE INDEX `coupon_codes_batch` ON `coupon_codes` (`merchant_id`,`test_mode`,`batch`,`code_key`);
CREATE INDEX `coupons_old_keys` ON `coupons` (`seq`) WHERE "coupons"."key_form" = 0;
CREATE INDEX `coupons_automatic` ON `coupons` (`merchant_id`,`test_mode`,`seq`) WHERE "coupons"."automatic" = 1;
CREATE UNIQUE INDEX `orders_reference` ON `orders` (`merchant_id`,`test_mode`,`reference`);
CREATE INDEX `imports_waiting` ON `imports` (`updated_at`,`state`) WHERE "imports"."state" in ('uploading', 'checking', 'applying');
CREATE INDEX `products_low` ON `products` (`merchant_id`,`test_mode`,`id`) WHERE "products"."manage_stock";
CREATE INDEX `products_out` ON `products` (`merchant_id`,`test_mode`,`id`) WHERE "products"."manage_stock" and coalesce("products"."stock_quantity", 0) <= 0;
CREATE INDEX `import_mappings_used` ON `import_mappings` (`merchant_id`,`test_mode`,`used_at`);
CREATE INDEX `service_states_until` ON `service_states` (`paused_until`);
CREATE INDEX `events_object` ON `events` (`merchant_id`,`test_mode`,`object`,`seq`) WHERE "events"."object" is not null;
CREATE INDEX `events_change_set` ON `events` (`merchant_id`,`test_mode`,`change_set`,`seq`) WHERE "events"."change_set" is not null;
CREATE INDEX `events_kept` ON `events` (`merchant_id`,`test_mode`,`type`,`seq`) WHERE "events"."kept" is not null;
CREATE INDEX `change_sets_name` ON `change_sets` (`merchant_id`,`test_mode`,`name`,`actor`) WHERE "change_sets"."name" is not null;
CREATE INDEX `change_sets_undoing` ON `change_sets` (`updated_at`) WHERE "change_sets"."progress" is not null;
CREATE UNIQUE INDEX `releases_id` ON `releases` (`id`);
CREATE INDEX `releases_due` ON `releases` (`publish_at`,`id`) WHERE "releases"."state" = 'scheduled';
CREATE INDEX `tag_requests_at` ON `tag_requests` (`at`);
CREATE UNIQUE INDEX `operators_email` ON `operators` (`email`);
CREATE UNIQUE INDEX `operators_person` ON `operators` (`person`);
CREATE UNIQUE INDEX `operators_invitation` ON `operators` (`invitation_hash`);
CREATE UNIQUE INDEX `platform_keys_hash` ON `platform_keys` (`hash`);
CREATE UNIQUE INDEX `staged_values_id` ON `staged_values` (`id`);
CREATE INDEX `deliveries_subject` ON `deliveries` (`webhook`,`subject`,`sequence`) WHERE "deliveries"."subject" is not null and "deliveries"."state" = 'pending';
CREATE UNIQUE INDEX `sessions_hash` ON `sessions` (`hash`);
CREATE INDEX `sessions_list` ON `sessions` (`merchant_id`,`id`);
CREATE INDEX `sessions_key` ON `sessions` (`key_id`,`id`);
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`id`);
CREATE INDEX `sessions_operator` ON `sessions` (`operator_id`,`id`);
CREATE INDEX `platform_backlogs_parked` ON `platform_backlogs` (`webhook`,`merchant_id`) WHERE "platform_backlogs"."parked";
CREATE INDEX `platform_backlogs_merchant` ON `platform_backlogs` (`merchant_id`);
CREATE UNIQUE INDEX `platform_webhooks_id` ON `platform_webhooks` (`id`);
CREATE INDEX `failed_requests_day` ON `failed_requests` (`day`);
CREATE INDEX `scan_counts_hours` ON `scan_counts` (`merchant_id`,`day`) WHERE "scan_counts"."test_mode" is not null;
CREATE VIEW `subscribed_events` AS select "events"."merchant_id" as merchant_id, "events"."test_mode" as test_mode, "events"."id" as id, "events"."type" as type,
  "webhooks"."seq" as webhook, "webhooks"."failures" >= 3 as slow,
  "webhooks"."probe_at" as probe_at, "webhooks"."shape" as shape,
  iif(json_valid("webhooks"."filter") and "webhooks"."filter" ->> '$.order' = 'object', case substr("events"."type", 1, instr("events"."type", '.') - 1) when 'order' then null when 'service' then 'service'
    else substr("events"."type", 1, instr("events"."type", '.') - 1) || '.' || coalesce("events"."object", "events"."row" ->> '$.id') end, null) as subject,
  iif(json_valid("webhooks"."filter") and "webhooks"."filter" ->> '$.order' = 'object', "events"."seq", null) as sequence
from "events" cross join "subscriptions" cross join "webhooks"
where "webhooks"."seq" = "subscriptions"."webhook" and "subscriptions"."merchant_id" = "events"."merchant_id"
  and "subscriptions"."test_mode" = "events"."test_mode" and "subscriptions"."type" in ("events"."type", '*')
  and "events"."type" <> 'product.availability_changed' and "events"."type" <> 'modifier.availability_changed' and "events"."type" <> 'coupon.limits_changed' and ("webhooks"."filter" is null or not json_valid("webhooks"."filter") or (
  (json_type("webhooks"."filter", '$.changed."' || "events"."type" || '"') is null or "events"."previous" is null or exists (
    select 1 from json_each("webhooks"."filter", '$.changed."' || "events"."type" || '"') as named
    where iif(instr(named.value, '"') = 0, json_type("events"."previous", '$."' || named.value || '"') is not null, true)))
  and not exists (
    select 1 from json_each("webhooks"."filter", '$.where') as rule
    where rule.key in ("events"."type", substr("events"."type", 1, instr("events"."type", '.') - 1) || '.*') and iif(rule.type = 'object',
      (rule.value ->> '$.visible' <> case
  when json_type("events"."row", '$.visible') is not null then "events"."row" ->> '$.visible'
  when "events"."type" glob 'product.*' then (select "products"."visible" from "products" where "products"."merchant_id" = "events"."merchant_id"
  and "products"."test_mode" = "events"."test_mode" and "products"."id" = "events"."row" ->> '$.id')
  when "events"."type" glob 'menu.*' then (select "menus"."visible" from "menus" where "menus"."merchant_id" = "events"."merchant_id"
  and "menus"."test_mode" = "events"."test_mode" and "menus"."id" = "events"."row" ->> '$.id')
  end
        and coalesce(rule.value ->> '$.visible' <> "events"."previous" ->> '$.visible', true))
      or (rule.value ->> '$.labelKey' is not null and not (case
  when "events"."type" = 'product.deleted' then "events"."kept" is null or exists (select 1 from json_each("events"."kept", '$.details') as kept,
  json_each(iif(json_valid(kept.value ->> '$.data'), kept.value ->> '$.data', '{}'), '$.labelKeys') as named where named.value = rule.value ->> '$.labelKey')
  else exists (select 1 from "product_labels" cross join "products" on "products"."seq" = "product_labels"."owner"
  where "product_labels"."merchant_id" = "events"."merchant_id" and "product_labels"."test_mode" = "events"."test_mode"
    and "product_labels"."label" = rule.value ->> '$.labelKey' and "products"."merchant_id" = "events"."merchant_id"
  and "products"."test_mode" = "events"."test_mode" and "products"."id" = "events"."row" ->> '$.id') or ("events"."type" = 'product.details_updated' and exists (select 1 from json_each("events"."previous", '$.labels') as named
  where lower(trim(named.value)) = rule.value ->> '$.labelKey' or named.value glob '*[^ -~]*')) end)), false))));
CREATE TRIGGER `coupons_search_delete` AFTER DELETE ON `coupons` BEGIN
	DELETE FROM `coupons_search` WHERE rowid = old.seq;
END;
CREATE TRIGGER `customers_search_delete` AFTER DELETE ON `customers` BEGIN
	DELETE FROM `customers_search` WHERE rowid = old.seq;
END;
CREATE TRIGGER `menus_search_delete` AFTER DELETE ON `menus` BEGIN
	DELETE FROM `menus_search` WHERE rowid = old.seq;
END;
CREATE TRIGGER `modifiers_search_delete` AFTER DELETE ON `modifiers` BEGIN
	DELETE FROM `modifiers_search` WHERE rowid = old.seq;
END;
CREATE TRIGGER `products_search_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `products_search` WHERE rowid = old.seq;
END;
CREATE TRIGGER `tags_search_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM `tags_search` WHERE rowid = old.seq;
END;
CREATE TRIGGER `webhooks_search_delete` AFTER DELETE ON `webhooks` BEGIN
	DELETE FROM `webhooks_search` WHERE rowid = old.seq;
END;
CREATE TRIGGER `webhooks_subscribe` AFTER INSERT ON `webhooks` WHEN new.active BEGIN
	INSERT INTO `subscriptions` SELECT new.merchant_id, new.test_mode, value, new.seq FROM json_each(new.events);
END;
CREATE TRIGGER `webhooks_resubscribe` AFTER UPDATE OF `events`, `active` ON `webhooks` WHEN new.events <> old.events OR new.active <> old.active BEGIN
	DELETE FROM `subscriptions` WHERE merchant_id = old.merchant_id AND test_mode = old.test_mode AND type IN (SELECT value FROM json_each(old.events)) AND webhook = old.seq;
	INSERT INTO `subscriptions` SELECT new.merchant_id, new.test_mode, value, new.seq FROM json_each(new.events) WHERE new.active;
END;
CREATE TRIGGER `webhooks_unsubscribe` AFTER DELETE ON `webhooks` BEGIN
	DELETE FROM `subscriptions` WHERE merchant_id = old.merchant_id AND test_mode = old.test_mode AND type IN (SELECT value FROM json_each(old.events)) AND webhook = old.seq;
END;
CREATE TRIGGER `products_external_id_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'products' AND `object` = old.seq;
END;
CREATE TRIGGER `modifiers_external_id_delete` AFTER DELETE ON `modifiers` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'modifiers' AND `object` = old.seq;
END;
CREATE TRIGGER `menus_external_id_delete` AFTER DELETE ON `menus` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'menus' AND `object` = old.seq;
END;
CREATE TRIGGER `coupons_external_id_delete` AFTER DELETE ON `coupons` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'coupons' AND `object` = old.seq;
END;
CREATE TRIGGER `customers_external_id_delete` AFTER DELETE ON `customers` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'customers' AND `object` = old.seq;
END;
CREATE TRIGGER `tags_external_id_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'tags' AND `object` = old.seq;
END;
CREATE TRIGGER `webhooks_external_id_delete` AFTER DELETE ON `webhooks` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'webhooks' AND `object` = old.seq;
END;
CREATE TRIGGER `products_availability_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `availability` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode` AND `product` = old.`id`;
END;
CREATE TRIGGER `products_details_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `details` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'products' AND `object` = old.seq;
	DELETE FROM `translations` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'products' AND `object` = old.seq;
END;
CREATE TRIGGER `modifiers_details_delete` AFTER DELETE ON `modifiers` BEGIN
	DELETE FROM `details` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'modifiers' AND `object` = old.seq;
	DELETE FROM `translations` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'modifiers' AND `object` = old.seq;
END;
CREATE TRIGGER `menus_details_delete` AFTER DELETE ON `menus` BEGIN
	DELETE FROM `details` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'menus' AND `object` = old.seq;
	DELETE FROM `translations` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'menus' AND `object` = old.seq;
END;
CREATE TRIGGER `merchants_timed_insert` AFTER INSERT ON `merchants` BEGIN
	INSERT OR IGNORE INTO `purges` (`name`, `due_at`) VALUES (new.`id`, 0);
	INSERT OR IGNORE INTO `backup_checks` (`merchant_id`, `enqueued_at`) VALUES (new.`id`, 0);
END;
CREATE TRIGGER `merchants_timed_delete` AFTER DELETE ON `merchants` BEGIN
	DELETE FROM `purges` WHERE `name` = old.`id`;
	DELETE FROM `backup_checks` WHERE `merchant_id` = old.`id`;
END;
CREATE TRIGGER `webhooks_gone_delete` AFTER DELETE ON `webhooks` BEGIN
	INSERT OR IGNORE INTO `gone_webhooks` (`webhook`) VALUES (old.`seq`);
END;
CREATE TRIGGER `modifiers_option_availability_delete` AFTER DELETE ON `modifiers` BEGIN
	DELETE FROM `option_availability` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = (old.`test_mode` & 1) AND `modifier` = old.`id`;
END;
CREATE TRIGGER `modifiers_option_availability_update` AFTER UPDATE OF `options` ON `modifiers` WHEN old.`options` IS NOT new.`options` BEGIN
	DELETE FROM `option_availability` WHERE `merchant_id` = new.`merchant_id` AND `test_mode` = new.`test_mode` AND `modifier` = new.`id`
		AND json_valid(new.`options`) AND `option` NOT IN (SELECT `value` ->> '$.id' FROM json_each(new.`options`));
END;
CREATE TRIGGER `coupons_codes_delete` AFTER DELETE ON `coupons` BEGIN
	UPDATE `coupon_code_batches` SET `gone_at` = unixepoch()
		WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode` AND `coupon` = old.`id`;
	UPDATE `purges` SET `due_at` = 0 WHERE changes() > 0 AND `name` IN ('coupon_codes', 'coupon_code_batches');
END;
CREATE TRIGGER `coupons_code_insert` BEFORE INSERT ON `coupons`
WHEN EXISTS (
	SELECT 1 FROM `coupon_codes` AS `taken` JOIN `coupons` AS `owner`
		ON `owner`.`merchant_id` = `taken`.`merchant_id` AND `owner`.`test_mode` = `taken`.`test_mode` AND `owner`.`id` = `taken`.`coupon`
	WHERE `taken`.`merchant_id` = new.`merchant_id` AND `taken`.`test_mode` = new.`test_mode` AND `taken`.`code_key` = new.`code_key`
) BEGIN
	SELECT raise(ABORT, 'UNIQUE constraint failed: coupons.merchant_id, coupons.test_mode, coupons.code_key');
END;
CREATE TRIGGER `coupons_code_update` BEFORE UPDATE OF `code_key` ON `coupons`
WHEN old.`code_key` <> new.`code_key` AND EXISTS (
	SELECT 1 FROM `coupon_codes` AS `taken` JOIN `coupons` AS `owner`
		ON `owner`.`merchant_id` = `taken`.`merchant_id` AND `owner`.`test_mode` = `taken`.`test_mode` AND `owner`.`id` = `taken`.`coupon`
	WHERE `taken`.`merchant_id` = new.`merchant_id` AND `taken`.`test_mode` = new.`test_mode` AND `taken`.`code_key` = new.`code_key`
) BEGIN
	SELECT raise(ABORT, 'UNIQUE constraint failed: coupons.merchant_id, coupons.test_mode, coupons.code_key');
END;
CREATE TRIGGER `details_label_insert` AFTER INSERT ON `details`
	WHEN new.`resource` = 'products' AND instr(new.`data`, '"labelKeys"') > 0 BEGIN
	INSERT INTO `product_labels` (`merchant_id`, `test_mode`, `label`, `owner`)
		SELECT DISTINCT new.`merchant_id`, new.`test_mode`, `named`.`value`, new.`object` FROM json_each(CASE WHEN json_valid(new.`data`) THEN new.`data` ELSE '{}' END, '$.labelKeys') AS `named`
		WHERE `named`.`type` = 'text' AND NOT EXISTS (SELECT 1 FROM `product_labels` WHERE `merchant_id` = new.`merchant_id`
			AND `test_mode` = new.`test_mode` AND `label` = `named`.`value` AND `owner` = new.`object`);
END;
CREATE TRIGGER `details_label_update` AFTER UPDATE OF `data` ON `details`
	WHEN new.`resource` = 'products' AND (instr(old.`data`, '"labelKeys"') > 0 OR instr(new.`data`, '"labelKeys"') > 0) BEGIN
	DELETE FROM `product_labels` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode`
		AND `label` IN (SELECT `value` FROM json_each(CASE WHEN json_valid(old.`data`) THEN old.`data` ELSE '{}' END, '$.labelKeys') EXCEPT SELECT `value` FROM json_each(CASE WHEN json_valid(new.`data`) THEN new.`data` ELSE '{}' END, '$.labelKeys')) AND `owner` = old.`object`;
	INSERT INTO `product_labels` (`merchant_id`, `test_mode`, `label`, `owner`)
		SELECT DISTINCT new.`merchant_id`, new.`test_mode`, `named`.`value`, new.`object` FROM json_each(CASE WHEN json_valid(new.`data`) THEN new.`data` ELSE '{}' END, '$.labelKeys') AS `named`
		WHERE `named`.`type` = 'text' AND NOT EXISTS (SELECT 1 FROM `product_labels` WHERE `merchant_id` = new.`merchant_id`
			AND `test_mode` = new.`test_mode` AND `label` = `named`.`value` AND `owner` = new.`object`);
END;
CREATE TRIGGER `details_label_delete` AFTER DELETE ON `details`
	WHEN old.`resource` = 'products' AND instr(old.`data`, '"labelKeys"') > 0 BEGIN
	DELETE FROM `product_labels` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode`
		AND `label` IN (SELECT `value` FROM json_each(CASE WHEN json_valid(old.`data`) THEN old.`data` ELSE '{}' END, '$.labelKeys')) AND `owner` = old.`object`;
END;
CREATE TRIGGER `tags_details_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM `details` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'tags' AND `object` = old.seq;
END;
CREATE TRIGGER `tags_translations_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM `translations` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'tags' AND `object` = old.seq;
END;
CREATE TRIGGER `tags_details_mode` AFTER UPDATE OF `test_mode` ON `tags` WHEN old.`test_mode` <> new.`test_mode` BEGIN
	UPDATE `details` SET `test_mode` = new.`test_mode` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode` AND `resource` = 'tags' AND `object` = old.`seq`;
END;
CREATE TRIGGER `deliveries_order_insert` AFTER INSERT ON `deliveries` WHEN new.`subject` IS NOT NULL AND new.`state` = 'pending' BEGIN
	UPDATE `deliveries` SET `due_at` = 253402300799
		WHERE `webhook` = new.`webhook` AND `subject` = new.`subject` AND `state` = 'pending' AND `sequence` >= new.`sequence`
			AND `attempt` = 0 AND `due_at` <> 253402300799 AND (`sequence` > new.`sequence` OR EXISTS (
				SELECT 1 FROM `deliveries` AS `earlier` WHERE `earlier`.`webhook` = new.`webhook` AND `earlier`.`subject` = new.`subject`
					AND `earlier`.`state` = 'pending' AND `earlier`.`sequence` < new.`sequence`));
END;
CREATE TRIGGER `deliveries_order_resume` AFTER UPDATE OF `state` ON `deliveries`
	WHEN new.`subject` IS NOT NULL AND new.`state` = 'pending' AND old.`state` <> 'pending' BEGIN
	UPDATE `deliveries` SET `due_at` = 253402300799
		WHERE `webhook` = new.`webhook` AND `subject` = new.`subject` AND `state` = 'pending' AND `sequence` >= new.`sequence`
			AND `leased_until` = 0 AND `due_at` <> 253402300799 AND (`sequence` > new.`sequence` OR EXISTS (
				SELECT 1 FROM `deliveries` AS `earlier` WHERE `earlier`.`webhook` = new.`webhook` AND `earlier`.`subject` = new.`subject`
					AND `earlier`.`state` = 'pending' AND `earlier`.`sequence` < new.`sequence`));
END;
CREATE TRIGGER `deliveries_order_end` AFTER UPDATE OF `state` ON `deliveries`
	WHEN old.`subject` IS NOT NULL AND old.`state` = 'pending' AND new.`state` <> 'pending' BEGIN
	UPDATE `deliveries` SET `due_at` = `created_at`
		WHERE `webhook` = old.`webhook` AND `due_at` = 253402300799 AND `event` = (
			SELECT `next`.`event` FROM `deliveries` AS `next` WHERE `next`.`webhook` = old.`webhook` AND `next`.`subject` = old.`subject`
				AND `next`.`state` = 'pending' ORDER BY `next`.`sequence` LIMIT 1)
			AND EXISTS (SELECT 1 FROM `webhooks` WHERE `seq` = old.`webhook` AND `active`);
END;
CREATE TRIGGER `deliveries_order_delete` AFTER DELETE ON `deliveries` WHEN old.`subject` IS NOT NULL AND old.`state` = 'pending' BEGIN
	UPDATE `deliveries` SET `due_at` = `created_at`
		WHERE `webhook` = old.`webhook` AND `due_at` = 253402300799 AND `event` = (
			SELECT `next`.`event` FROM `deliveries` AS `next` WHERE `next`.`webhook` = old.`webhook` AND `next`.`subject` = old.`subject`
				AND `next`.`state` = 'pending' ORDER BY `next`.`sequence` LIMIT 1)
			AND EXISTS (SELECT 1 FROM `webhooks` WHERE `seq` = old.`webhook` AND `active`);
END;
CREATE TRIGGER `platform_webhooks_list_insert` AFTER INSERT ON `platform_webhooks` BEGIN
	INSERT OR REPLACE INTO `settings` (`name`, `value`) VALUES ('platform_webhooks', (
		SELECT json_group_array(json_object(
			'number', `seq`, 'types', json(`events`), 'merchants', json(`merchants`), 'filter', `filter`, 'shape', `shape`,
			'slow', `failures` >= 3, 'dueAt', iif(`failures` >= 10, 253402300798, 0)))
		FROM `platform_webhooks` WHERE `active`));
END;
CREATE TRIGGER `platform_webhooks_list_update` AFTER UPDATE ON `platform_webhooks`
	WHEN new.`active` <> old.`active` OR new.`version` <> old.`version` OR new.`filter_version` <> old.`filter_version`
		OR (new.`failures` >= 3) <> (old.`failures` >= 3) OR (new.`failures` >= 10) <> (old.`failures` >= 10) BEGIN
	INSERT OR REPLACE INTO `settings` (`name`, `value`) VALUES ('platform_webhooks', (
		SELECT json_group_array(json_object(
			'number', `seq`, 'types', json(`events`), 'merchants', json(`merchants`), 'filter', `filter`, 'shape', `shape`,
			'slow', `failures` >= 3, 'dueAt', iif(`failures` >= 10, 253402300798, 0)))
		FROM `platform_webhooks` WHERE `active`));
END;
CREATE TRIGGER `platform_webhooks_list_delete` AFTER DELETE ON `platform_webhooks` BEGIN
	INSERT OR REPLACE INTO `settings` (`name`, `value`) VALUES ('platform_webhooks', (
		SELECT json_group_array(json_object(
			'number', `seq`, 'types', json(`events`), 'merchants', json(`merchants`), 'filter', `filter`, 'shape', `shape`,
			'slow', `failures` >= 3, 'dueAt', iif(`failures` >= 10, 253402300798, 0)))
		FROM `platform_webhooks` WHERE `active`));
END;
