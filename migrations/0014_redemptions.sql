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
	`order_hash` text,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "redemptions_state" CHECK("redemptions"."state" in ('held', 'redeemed', 'released', 'expired'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `redemptions_once` ON `redemptions` (`merchant_id`,`test_mode`,`coupon`,`order_id`) WHERE "redemptions"."state" <> 'expired';
--> statement-breakpoint
CREATE INDEX `redemptions_order` ON `redemptions` (`merchant_id`,`test_mode`,`order_id`,`id`);
--> statement-breakpoint
CREATE INDEX `redemptions_coupon` ON `redemptions` (`merchant_id`,`test_mode`,`coupon`,`id`);
--> statement-breakpoint
CREATE INDEX `redemptions_customer` ON `redemptions` (`merchant_id`,`test_mode`,`customer`,`id`) WHERE "redemptions"."customer" is not null;
--> statement-breakpoint
CREATE INDEX `redemptions_state` ON `redemptions` (`merchant_id`,`test_mode`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `redemptions_holds` ON `redemptions` (`merchant_id`,`test_mode`,`coupon`,`expires_at`) WHERE "redemptions"."state" = 'held';
