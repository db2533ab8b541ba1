CREATE TABLE `external_ids` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`resource` text NOT NULL,
	`external_id` text NOT NULL,
	`object` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `resource`, `external_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `external_ids_object` ON `external_ids` (`resource`,`object`);
--> statement-breakpoint
ALTER TABLE `events` ADD `external_id` text;
--> statement-breakpoint
CREATE TRIGGER `products_external_id_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'products' AND `object` = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `modifiers_external_id_delete` AFTER DELETE ON `modifiers` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'modifiers' AND `object` = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `menus_external_id_delete` AFTER DELETE ON `menus` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'menus' AND `object` = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `coupons_external_id_delete` AFTER DELETE ON `coupons` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'coupons' AND `object` = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `customers_external_id_delete` AFTER DELETE ON `customers` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'customers' AND `object` = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `tags_external_id_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'tags' AND `object` = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `webhooks_external_id_delete` AFTER DELETE ON `webhooks` BEGIN
	DELETE FROM `external_ids` WHERE `resource` = 'webhooks' AND `object` = old.seq;
END;
