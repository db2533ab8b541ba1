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
	`at` integer NOT NULL,
	CONSTRAINT "orders_state" CHECK("orders"."state" in ('open', 'cancelled')),
	CONSTRAINT "orders_stock" CHECK(json_type("orders"."stock") = 'array'),
	CONSTRAINT "orders_redemptions" CHECK(json_type("orders"."redemptions") = 'array'),
	CONSTRAINT "orders_skipped" CHECK(json_type("orders"."skipped") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_reference` ON `orders` (`merchant_id`,`test_mode`,`reference`);
--> statement-breakpoint
ALTER TABLE `redemptions` ADD `order_reference` text;
--> statement-breakpoint
ALTER TABLE `stock_adjustments` ADD `order_reference` text;
--> statement-breakpoint
ALTER TABLE `stock_adjustments` ADD `order_key` text;
