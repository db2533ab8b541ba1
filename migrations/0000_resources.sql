CREATE TABLE `coupon_products` (
	`owner` integer NOT NULL,
	`target` integer NOT NULL,
	PRIMARY KEY(`owner`, `target`),
	FOREIGN KEY (`owner`) REFERENCES `coupons`(`seq`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`target`) REFERENCES `products`(`seq`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `coupon_products_target` ON `coupon_products` (`target`);--> statement-breakpoint
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
	CONSTRAINT "coupons_id" CHECK(length("coupons"."id") between 1 and 64),
	CONSTRAINT "coupons_times" CHECK("coupons"."updated_at" >= "coupons"."created_at"),
	CONSTRAINT "coupons_version" CHECK("coupons"."version" >= 1),
	CONSTRAINT "coupons_title" CHECK(length("coupons"."title") between 1 and 255),
	CONSTRAINT "coupons_code" CHECK(length("coupons"."code") between 1 and 64),
	CONSTRAINT "coupons_value" CHECK("coupons"."value" > 0 and "coupons"."value" <= case "coupons"."type" when 'PERCENTAGE' then 100 when 'FIXED' then 1000000000 end),
	CONSTRAINT "coupons_type" CHECK("coupons"."type" in ('PERCENTAGE', 'FIXED')),
	CONSTRAINT "coupons_description" CHECK(length("coupons"."description") between 0 and 5000),
	CONSTRAINT "coupons_minimum" CHECK("coupons"."minimum_order_amount" between 0 and 1000000000),
	CONSTRAINT "coupons_redeemed" CHECK("coupons"."times_redeemed" between 0 and 9007199254740991),
	CONSTRAINT "coupons_flags" CHECK(("coupons"."active" in (0, 1) and "coupons"."individual_use" in (0, 1) and "coupons"."apply_to_all_products" in (0, 1))),
	CONSTRAINT "coupons_products" CHECK(json_type("coupons"."products") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_id` ON `coupons` (`merchant_id`,`test_mode`,`id`);--> statement-breakpoint
CREATE INDEX `coupons_updated` ON `coupons` (`merchant_id`,`test_mode`,`updated_at`);--> statement-breakpoint
CREATE INDEX `coupons_active` ON `coupons` (`merchant_id`,`test_mode`,`active`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_code` ON `coupons` (`merchant_id`,`test_mode`,`code_key`);--> statement-breakpoint
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
	CONSTRAINT "customers_id" CHECK(length("customers"."id") between 1 and 64),
	CONSTRAINT "customers_times" CHECK("customers"."updated_at" >= "customers"."created_at"),
	CONSTRAINT "customers_version" CHECK("customers"."version" >= 1),
	CONSTRAINT "customers_first_name" CHECK(length("customers"."first_name") between 1 and 255),
	CONSTRAINT "customers_last_name" CHECK(length("customers"."last_name") between 1 and 255),
	CONSTRAINT "customers_email" CHECK(length("customers"."email") between 1 and 320),
	CONSTRAINT "customers_phone" CHECK(length("customers"."phone") between 1 and 32)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_id` ON `customers` (`merchant_id`,`test_mode`,`id`);--> statement-breakpoint
CREATE INDEX `customers_updated` ON `customers` (`merchant_id`,`test_mode`,`updated_at`);--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`merchant_id`,`test_mode`,`email`,`id`) WHERE "customers"."email" is not null;--> statement-breakpoint
CREATE INDEX `customers_phone` ON `customers` (`merchant_id`,`test_mode`,`phone`,`id`) WHERE "customers"."phone" is not null;--> statement-breakpoint
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
	`last_used_at` integer,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "keys_scopes" CHECK(json_type("keys"."scopes") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_hash` ON `keys` (`hash`);--> statement-breakpoint
CREATE INDEX `keys_list` ON `keys` (`merchant_id`,`id`);--> statement-breakpoint
CREATE TABLE `menu_products` (
	`owner` integer NOT NULL,
	`target` integer NOT NULL,
	PRIMARY KEY(`owner`, `target`),
	FOREIGN KEY (`owner`) REFERENCES `menus`(`seq`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`target`) REFERENCES `products`(`seq`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `menu_products_target` ON `menu_products` (`target`);--> statement-breakpoint
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
	CONSTRAINT "menus_id" CHECK(length("menus"."id") between 1 and 64),
	CONSTRAINT "menus_times" CHECK("menus"."updated_at" >= "menus"."created_at"),
	CONSTRAINT "menus_version" CHECK("menus"."version" >= 1),
	CONSTRAINT "menus_title" CHECK(length("menus"."title") between 1 and 255),
	CONSTRAINT "menus_description" CHECK(length("menus"."description") between 0 and 5000),
	CONSTRAINT "menus_flags" CHECK(("menus"."show_section_navigation" in (0, 1) and "menus"."visible" in (0, 1) and "menus"."all_day_menu" in (0, 1))),
	CONSTRAINT "menus_window" CHECK(case when "menus"."begin" is null then "menus"."end" is null and "menus"."all_day_menu" else "menus"."end" is not null and "menus"."begin" <> "menus"."end" end),
	CONSTRAINT "menus_begin" CHECK("menus"."begin" glob '[0-2][0-9][0-5][0-9]' and "menus"."begin" < '2400'),
	CONSTRAINT "menus_end" CHECK("menus"."end" glob '[0-2][0-9][0-5][0-9]' and "menus"."end" <= '2400'),
	CONSTRAINT "menus_branding" CHECK(json_type("menus"."branding") = 'object'),
	CONSTRAINT "menus_sections" CHECK(json_type("menus"."sections") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `menus_id` ON `menus` (`merchant_id`,`test_mode`,`id`);--> statement-breakpoint
CREATE INDEX `menus_updated` ON `menus` (`merchant_id`,`test_mode`,`updated_at`);--> statement-breakpoint
CREATE INDEX `menus_visible` ON `menus` (`merchant_id`,`test_mode`,`visible`,`id`);--> statement-breakpoint
CREATE TABLE `merchants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`timezone` text NOT NULL,
	`currency` text,
	`ordering_url` text,
	`sandbox_url` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "merchants_name" CHECK(length("merchants"."name") between 1 and 255),
	CONSTRAINT "merchants_currency" CHECK(length("merchants"."currency") = 3)
);
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
	CONSTRAINT "modifiers_id" CHECK(length("modifiers"."id") between 1 and 64),
	CONSTRAINT "modifiers_times" CHECK("modifiers"."updated_at" >= "modifiers"."created_at"),
	CONSTRAINT "modifiers_version" CHECK("modifiers"."version" >= 1),
	CONSTRAINT "modifiers_title" CHECK(length("modifiers"."title") between 1 and 255),
	CONSTRAINT "modifiers_instructions" CHECK(length("modifiers"."instructions") between 0 and 5000),
	CONSTRAINT "modifiers_description" CHECK(length("modifiers"."description") between 0 and 5000),
	CONSTRAINT "modifiers_type" CHECK("modifiers"."type" in ('CHECKBOX', 'RADIO')),
	CONSTRAINT "modifiers_rules" CHECK(json_type("modifiers"."rules") = 'object'),
	CONSTRAINT "modifiers_options" CHECK(json_type("modifiers"."options") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `modifiers_id` ON `modifiers` (`merchant_id`,`test_mode`,`id`);--> statement-breakpoint
CREATE INDEX `modifiers_updated` ON `modifiers` (`merchant_id`,`test_mode`,`updated_at`);--> statement-breakpoint
CREATE TABLE `product_modifiers` (
	`owner` integer NOT NULL,
	`target` integer NOT NULL,
	PRIMARY KEY(`owner`, `target`),
	FOREIGN KEY (`owner`) REFERENCES `products`(`seq`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`target`) REFERENCES `modifiers`(`seq`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `product_modifiers_target` ON `product_modifiers` (`target`);--> statement-breakpoint
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
	CONSTRAINT "products_id" CHECK(length("products"."id") between 1 and 64),
	CONSTRAINT "products_times" CHECK("products"."updated_at" >= "products"."created_at"),
	CONSTRAINT "products_version" CHECK("products"."version" >= 1),
	CONSTRAINT "products_title" CHECK(length("products"."title") between 1 and 255),
	CONSTRAINT "products_description" CHECK(length("products"."description") between 0 and 5000),
	CONSTRAINT "products_price" CHECK("products"."price" between 0 and 1000000000),
	CONSTRAINT "products_tax_rate" CHECK("products"."tax_rate" between 0 and 100),
	CONSTRAINT "products_calories" CHECK("products"."calories" between 0 and 9007199254740991),
	CONSTRAINT "products_type" CHECK("products"."type" = 'SIMPLE'),
	CONSTRAINT "products_upc" CHECK(length("products"."upc") between 1 and 64),
	CONSTRAINT "products_sku" CHECK(length("products"."sku") between 1 and 64),
	CONSTRAINT "products_flags" CHECK(("products"."visible" in (0, 1) and "products"."taxable" in (0, 1) and "products"."use_custom_tax_rate" in (0, 1) and "products"."manage_stock" in (0, 1))),
	CONSTRAINT "products_images" CHECK(json_type("products"."images") = 'array'),
	CONSTRAINT "products_metadata" CHECK(json_type("products"."metadata") = 'array'),
	CONSTRAINT "products_modifiers" CHECK(json_type("products"."modifiers") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_id` ON `products` (`merchant_id`,`test_mode`,`id`);--> statement-breakpoint
CREATE INDEX `products_updated` ON `products` (`merchant_id`,`test_mode`,`updated_at`);--> statement-breakpoint
CREATE INDEX `products_visible` ON `products` (`merchant_id`,`test_mode`,`visible`,`id`);--> statement-breakpoint
CREATE INDEX `products_sku` ON `products` (`merchant_id`,`test_mode`,`sku`,`id`) WHERE "products"."sku" is not null;--> statement-breakpoint
CREATE INDEX `products_upc` ON `products` (`merchant_id`,`test_mode`,`upc`,`id`) WHERE "products"."upc" is not null;--> statement-breakpoint
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
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tags_id" CHECK(length("tags"."id") between 1 and 64),
	CONSTRAINT "tags_times" CHECK("tags"."updated_at" >= "tags"."created_at"),
	CONSTRAINT "tags_version" CHECK("tags"."version" >= 1),
	CONSTRAINT "tags_flags" CHECK(("tags"."nfc" in (0, 1) and "tags"."test_mode" in (0, 1))),
	CONSTRAINT "tags_metadata" CHECK(json_type("tags"."metadata") = 'array'),
	CONSTRAINT "tags_code" CHECK(length("tags"."code") = 16)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_id` ON `tags` (`merchant_id`,`test_mode`,`id`);--> statement-breakpoint
CREATE INDEX `tags_updated` ON `tags` (`merchant_id`,`test_mode`,`updated_at`);--> statement-breakpoint
CREATE INDEX `tags_nfc` ON `tags` (`merchant_id`,`test_mode`,`nfc`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tags_both` ON `tags` (`merchant_id`,`id`);--> statement-breakpoint
CREATE INDEX `tags_both_updated` ON `tags` (`merchant_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `tags_both_nfc` ON `tags` (`merchant_id`,`nfc`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tags_code` ON `tags` (`code`);--> statement-breakpoint
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
	CONSTRAINT "webhooks_id" CHECK(length("webhooks"."id") between 1 and 64),
	CONSTRAINT "webhooks_times" CHECK("webhooks"."updated_at" >= "webhooks"."created_at"),
	CONSTRAINT "webhooks_version" CHECK("webhooks"."version" >= 1),
	CONSTRAINT "webhooks_title" CHECK(length("webhooks"."title") between 1 and 255),
	CONSTRAINT "webhooks_url" CHECK(length("webhooks"."url") between 1 and 2048),
	CONSTRAINT "webhooks_events" CHECK(json_type("webhooks"."events") = 'array'),
	CONSTRAINT "webhooks_flags" CHECK("webhooks"."active" in (0, 1)),
	CONSTRAINT "webhooks_secrets" CHECK(json_type("webhooks"."secrets") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_id` ON `webhooks` (`merchant_id`,`test_mode`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_updated` ON `webhooks` (`merchant_id`,`test_mode`,`updated_at`);--> statement-breakpoint
CREATE INDEX `webhooks_active` ON `webhooks` (`merchant_id`,`test_mode`,`active`,`id`);