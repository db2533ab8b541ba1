CREATE TABLE `option_availability` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`modifier` text NOT NULL,
	`option` text NOT NULL,
	`sold_out_until` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `modifier`, `option`)
);
--> statement-breakpoint
CREATE INDEX `option_availability_until` ON `option_availability` (`sold_out_until`);

--> statement-breakpoint
CREATE TRIGGER `modifiers_option_availability_delete` AFTER DELETE ON `modifiers` BEGIN
	DELETE FROM `option_availability` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = (old.`test_mode` & 1) AND `modifier` = old.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `modifiers_option_availability_update` AFTER UPDATE OF `options` ON `modifiers` WHEN old.`options` IS NOT new.`options` BEGIN
	DELETE FROM `option_availability` WHERE `merchant_id` = new.`merchant_id` AND `test_mode` = new.`test_mode` AND `modifier` = new.`id`
		AND json_valid(new.`options`) AND `option` NOT IN (SELECT `value` ->> '$.id' FROM json_each(new.`options`));
END;
