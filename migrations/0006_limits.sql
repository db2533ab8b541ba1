PRAGMA defer_foreign_keys = ON;
--> statement-breakpoint
CREATE TABLE `__saved_coupon_products` AS SELECT * FROM `coupon_products`;
--> statement-breakpoint
CREATE TABLE `__saved_coupons` AS SELECT * FROM `coupons`;
--> statement-breakpoint
DROP TABLE `coupons`;
--> statement-breakpoint
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
	`products` text NOT NULL,
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
--> statement-breakpoint
INSERT INTO `coupons` (`seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `code`, `code_key`, `type`, `value`, `description`, `active`, `minimum_order_amount`, `individual_use`, `times_redeemed`, `apply_to_all_products`, `products`) SELECT `seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `code`, `code_key`, `type`, `value`, `description`, `active`, `minimum_order_amount`, `individual_use`, `times_redeemed`, `apply_to_all_products`, `products` FROM `__saved_coupons`;
--> statement-breakpoint
DELETE FROM `coupon_products`;
--> statement-breakpoint
INSERT INTO `coupon_products` (`owner`, `target`) SELECT `owner`, `target` FROM `__saved_coupon_products`;
--> statement-breakpoint
DROP TABLE `__saved_coupon_products`;
--> statement-breakpoint
DROP TABLE `__saved_coupons`;
--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_id` ON `coupons` (`merchant_id`,`test_mode`,`id`);
--> statement-breakpoint
CREATE INDEX `coupons_updated` ON `coupons` (`merchant_id`,`test_mode`,`updated_at`);
--> statement-breakpoint
CREATE INDEX `coupons_active` ON `coupons` (`merchant_id`,`test_mode`,`active`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_code` ON `coupons` (`merchant_id`,`test_mode`,`code_key`);
--> statement-breakpoint
CREATE TRIGGER `coupons_search_delete` AFTER DELETE ON `coupons` BEGIN
	DELETE FROM `coupons_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE TABLE `__saved_customers` AS SELECT * FROM `customers`;
--> statement-breakpoint
DROP TABLE `customers`;
--> statement-breakpoint
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
--> statement-breakpoint
INSERT INTO `customers` (`seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `first_name`, `last_name`, `email`, `phone`) SELECT `seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `first_name`, `last_name`, `email`, `phone` FROM `__saved_customers`;
--> statement-breakpoint
DROP TABLE `__saved_customers`;
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_id` ON `customers` (`merchant_id`,`test_mode`,`id`);
--> statement-breakpoint
CREATE INDEX `customers_updated` ON `customers` (`merchant_id`,`test_mode`,`updated_at`);
--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`merchant_id`,`test_mode`,`email`,`id`) WHERE "customers"."email" is not null;
--> statement-breakpoint
CREATE INDEX `customers_phone` ON `customers` (`merchant_id`,`test_mode`,`phone`,`id`) WHERE "customers"."phone" is not null;
--> statement-breakpoint
CREATE TRIGGER `customers_search_delete` AFTER DELETE ON `customers` BEGIN
	DELETE FROM `customers_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE TABLE `__saved_menu_products` AS SELECT * FROM `menu_products`;
--> statement-breakpoint
CREATE TABLE `__saved_menus` AS SELECT * FROM `menus`;
--> statement-breakpoint
DROP TABLE `menus`;
--> statement-breakpoint
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
--> statement-breakpoint
INSERT INTO `menus` (`seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `description`, `show_section_navigation`, `visible`, `all_day_menu`, `begin`, `end`, `branding`, `sections`) SELECT `seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `description`, `show_section_navigation`, `visible`, `all_day_menu`, `begin`, `end`, `branding`, `sections` FROM `__saved_menus`;
--> statement-breakpoint
DELETE FROM `menu_products`;
--> statement-breakpoint
INSERT INTO `menu_products` (`owner`, `target`) SELECT `owner`, `target` FROM `__saved_menu_products`;
--> statement-breakpoint
DROP TABLE `__saved_menu_products`;
--> statement-breakpoint
DROP TABLE `__saved_menus`;
--> statement-breakpoint
CREATE UNIQUE INDEX `menus_id` ON `menus` (`merchant_id`,`test_mode`,`id`);
--> statement-breakpoint
CREATE INDEX `menus_updated` ON `menus` (`merchant_id`,`test_mode`,`updated_at`);
--> statement-breakpoint
CREATE INDEX `menus_visible` ON `menus` (`merchant_id`,`test_mode`,`visible`,`id`);
--> statement-breakpoint
CREATE TRIGGER `menus_search_delete` AFTER DELETE ON `menus` BEGIN
	DELETE FROM `menus_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE TABLE `__saved_merchants` AS SELECT * FROM `merchants`;
--> statement-breakpoint
DROP TABLE `merchants`;
--> statement-breakpoint
CREATE TABLE `merchants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`timezone` text NOT NULL,
	`currency` text,
	`ordering_url` text,
	`sandbox_url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `merchants` (`id`, `name`, `timezone`, `currency`, `ordering_url`, `sandbox_url`, `created_at`, `updated_at`) SELECT `id`, `name`, `timezone`, `currency`, `ordering_url`, `sandbox_url`, `created_at`, `updated_at` FROM `__saved_merchants`;
--> statement-breakpoint
DROP TABLE `__saved_merchants`;
--> statement-breakpoint
CREATE TABLE `__saved_modifiers` AS SELECT * FROM `modifiers`;
--> statement-breakpoint
DROP TABLE `modifiers`;
--> statement-breakpoint
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
--> statement-breakpoint
INSERT INTO `modifiers` (`seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `instructions`, `description`, `type`, `rules`, `options`) SELECT `seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `instructions`, `description`, `type`, `rules`, `options` FROM `__saved_modifiers`;
--> statement-breakpoint
DROP TABLE `__saved_modifiers`;
--> statement-breakpoint
CREATE UNIQUE INDEX `modifiers_id` ON `modifiers` (`merchant_id`,`test_mode`,`id`);
--> statement-breakpoint
CREATE INDEX `modifiers_updated` ON `modifiers` (`merchant_id`,`test_mode`,`updated_at`);
--> statement-breakpoint
CREATE TRIGGER `modifiers_search_delete` AFTER DELETE ON `modifiers` BEGIN
	DELETE FROM `modifiers_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE TABLE `__saved_product_modifiers` AS SELECT * FROM `product_modifiers`;
--> statement-breakpoint
CREATE TABLE `__saved_products` AS SELECT * FROM `products`;
--> statement-breakpoint
DROP TABLE `products`;
--> statement-breakpoint
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
--> statement-breakpoint
INSERT INTO `products` (`seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `price`, `description`, `visible`, `taxable`, `use_custom_tax_rate`, `tax_rate`, `calories`, `manage_stock`, `stock_quantity`, `type`, `upc`, `sku`, `images`, `metadata`, `modifiers`) SELECT `seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `price`, `description`, `visible`, `taxable`, `use_custom_tax_rate`, `tax_rate`, `calories`, `manage_stock`, `stock_quantity`, `type`, `upc`, `sku`, `images`, `metadata`, `modifiers` FROM `__saved_products`;
--> statement-breakpoint
DELETE FROM `product_modifiers`;
--> statement-breakpoint
INSERT INTO `product_modifiers` (`owner`, `target`) SELECT `owner`, `target` FROM `__saved_product_modifiers`;
--> statement-breakpoint
DROP TABLE `__saved_product_modifiers`;
--> statement-breakpoint
DROP TABLE `__saved_products`;
--> statement-breakpoint
CREATE UNIQUE INDEX `products_id` ON `products` (`merchant_id`,`test_mode`,`id`);
--> statement-breakpoint
CREATE INDEX `products_updated` ON `products` (`merchant_id`,`test_mode`,`updated_at`);
--> statement-breakpoint
CREATE INDEX `products_visible` ON `products` (`merchant_id`,`test_mode`,`visible`,`id`);
--> statement-breakpoint
CREATE INDEX `products_sku` ON `products` (`merchant_id`,`test_mode`,`sku`,`id`) WHERE "products"."sku" is not null;
--> statement-breakpoint
CREATE INDEX `products_upc` ON `products` (`merchant_id`,`test_mode`,`upc`,`id`) WHERE "products"."upc" is not null;
--> statement-breakpoint
CREATE TRIGGER `products_search_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `products_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE TABLE `__saved_tag_names` AS SELECT * FROM `tag_names`;
--> statement-breakpoint
CREATE TABLE `__saved_tags` AS SELECT * FROM `tags`;
--> statement-breakpoint
DROP TABLE `tags`;
--> statement-breakpoint
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
--> statement-breakpoint
INSERT INTO `tags` (`seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `nfc`, `metadata`, `code`, `legacy`) SELECT `seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `nfc`, `metadata`, `code`, `legacy` FROM `__saved_tags`;
--> statement-breakpoint
DELETE FROM `tag_names`;
--> statement-breakpoint
INSERT INTO `tag_names` (`name`, `tag`) SELECT `name`, `tag` FROM `__saved_tag_names`;
--> statement-breakpoint
DROP TABLE `__saved_tag_names`;
--> statement-breakpoint
DROP TABLE `__saved_tags`;
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_id` ON `tags` (`merchant_id`,`test_mode`,`id`);
--> statement-breakpoint
CREATE INDEX `tags_updated` ON `tags` (`merchant_id`,`test_mode`,`updated_at`);
--> statement-breakpoint
CREATE INDEX `tags_nfc` ON `tags` (`merchant_id`,`test_mode`,`nfc`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_both` ON `tags` (`merchant_id`,`id`);
--> statement-breakpoint
CREATE INDEX `tags_both_updated` ON `tags` (`merchant_id`,`updated_at`);
--> statement-breakpoint
CREATE INDEX `tags_both_nfc` ON `tags` (`merchant_id`,`nfc`,`id`);
--> statement-breakpoint
CREATE TRIGGER `tags_search_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM `tags_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE TABLE `__saved_webhooks` AS SELECT * FROM `webhooks`;
--> statement-breakpoint
CREATE TABLE `__saved_webhooks_sequence` AS SELECT name, seq FROM sqlite_sequence WHERE name = 'webhooks';
--> statement-breakpoint
DROP TABLE `webhooks`;
--> statement-breakpoint
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
	`probe_at` integer,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhooks_times" CHECK("webhooks"."updated_at" >= "webhooks"."created_at"),
	CONSTRAINT "webhooks_version" CHECK("webhooks"."version" >= 1),
	CONSTRAINT "webhooks_events" CHECK(json_type("webhooks"."events") = 'array'),
	CONSTRAINT "webhooks_flags" CHECK("webhooks"."active" in (0, 1)),
	CONSTRAINT "webhooks_secrets" CHECK(json_type("webhooks"."secrets") = 'array')
);
--> statement-breakpoint
INSERT INTO `webhooks` (`seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `url`, `events`, `active`, `disabled_reason`, `bearer_token`, `secrets`, `failures`, `failing_since`, `probe_at`) SELECT `seq`, `id`, `merchant_id`, `test_mode`, `created_at`, `updated_at`, `version`, `title`, `url`, `events`, `active`, `disabled_reason`, `bearer_token`, `secrets`, `failures`, `failing_since`, `probe_at` FROM `__saved_webhooks`;
--> statement-breakpoint
DELETE FROM sqlite_sequence WHERE name = 'webhooks';
--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM `__saved_webhooks_sequence`;
--> statement-breakpoint
DROP TABLE `__saved_webhooks`;
--> statement-breakpoint
DROP TABLE `__saved_webhooks_sequence`;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_id` ON `webhooks` (`merchant_id`,`test_mode`,`id`);
--> statement-breakpoint
CREATE INDEX `webhooks_updated` ON `webhooks` (`merchant_id`,`test_mode`,`updated_at`);
--> statement-breakpoint
CREATE INDEX `webhooks_active` ON `webhooks` (`merchant_id`,`test_mode`,`active`,`id`);
--> statement-breakpoint
CREATE TRIGGER `webhooks_search_delete` AFTER DELETE ON `webhooks` BEGIN
	DELETE FROM `webhooks_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `webhooks_subscribe` AFTER INSERT ON `webhooks` WHEN new.active BEGIN
	INSERT INTO `subscriptions` SELECT new.merchant_id, new.test_mode, value, new.seq FROM json_each(new.events);
END;
--> statement-breakpoint
CREATE TRIGGER `webhooks_resubscribe` AFTER UPDATE OF `events`, `active` ON `webhooks` WHEN new.events <> old.events OR new.active <> old.active BEGIN
	DELETE FROM `subscriptions` WHERE merchant_id = old.merchant_id AND test_mode = old.test_mode AND type IN (SELECT value FROM json_each(old.events)) AND webhook = old.seq;
	INSERT INTO `subscriptions` SELECT new.merchant_id, new.test_mode, value, new.seq FROM json_each(new.events) WHERE new.active;
END;
--> statement-breakpoint
CREATE TRIGGER `webhooks_unsubscribe` AFTER DELETE ON `webhooks` BEGIN
	DELETE FROM `subscriptions` WHERE merchant_id = old.merchant_id AND test_mode = old.test_mode AND type IN (SELECT value FROM json_each(old.events)) AND webhook = old.seq;
END;
