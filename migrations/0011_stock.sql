CREATE TABLE `availability` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`product` text NOT NULL,
	`sold_out_until` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `product`)
);
--> statement-breakpoint
CREATE INDEX `availability_until` ON `availability` (`sold_out_until`);
--> statement-breakpoint
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
	`at` integer NOT NULL,
	CONSTRAINT "stock_adjustments_changes" CHECK(json_type("stock_adjustments"."changes") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stock_adjustments_reference` ON `stock_adjustments` (`merchant_id`,`test_mode`,`reference`);
--> statement-breakpoint
CREATE INDEX `products_out` ON `products` (`merchant_id`,`test_mode`,`id`) WHERE "products"."manage_stock" and coalesce("products"."stock_quantity", 0) <= 0;
--> statement-breakpoint
CREATE INDEX `products_low` ON `products` (`merchant_id`,`test_mode`,`stock_quantity`) WHERE "products"."manage_stock";

--> statement-breakpoint
CREATE TRIGGER `products_availability_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `availability` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode` AND `product` = old.`id`;
END;
