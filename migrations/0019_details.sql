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
--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `translations_language` ON `translations` (`merchant_id`,`test_mode`,`language`);
--> statement-breakpoint
CREATE TRIGGER `products_details_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `details` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'products' AND `object` = old.seq;
	DELETE FROM `translations` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'products' AND `object` = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `modifiers_details_delete` AFTER DELETE ON `modifiers` BEGIN
	DELETE FROM `details` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'modifiers' AND `object` = old.seq;
	DELETE FROM `translations` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'modifiers' AND `object` = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `menus_details_delete` AFTER DELETE ON `menus` BEGIN
	DELETE FROM `details` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'menus' AND `object` = old.seq;
	DELETE FROM `translations` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'menus' AND `object` = old.seq;
END;
