CREATE TABLE `product_labels` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`label` text NOT NULL,
	`owner` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `label`, `owner`)
);
--> statement-breakpoint
CREATE TRIGGER `details_label_insert` AFTER INSERT ON `details`
	WHEN new.`resource` = 'products' AND instr(new.`data`, '"labelKeys"') > 0 BEGIN
	INSERT INTO `product_labels` (`merchant_id`, `test_mode`, `label`, `owner`)
		SELECT DISTINCT new.`merchant_id`, new.`test_mode`, `named`.`value`, new.`object` FROM json_each(CASE WHEN json_valid(new.`data`) THEN new.`data` ELSE '{}' END, '$.labelKeys') AS `named`
		WHERE `named`.`type` = 'text' AND NOT EXISTS (SELECT 1 FROM `product_labels` WHERE `merchant_id` = new.`merchant_id`
			AND `test_mode` = new.`test_mode` AND `label` = `named`.`value` AND `owner` = new.`object`);
END;
--> statement-breakpoint
CREATE TRIGGER `details_label_update` AFTER UPDATE OF `data` ON `details`
	WHEN new.`resource` = 'products' AND (instr(old.`data`, '"labelKeys"') > 0 OR instr(new.`data`, '"labelKeys"') > 0) BEGIN
	DELETE FROM `product_labels` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode`
		AND `label` IN (SELECT `value` FROM json_each(CASE WHEN json_valid(old.`data`) THEN old.`data` ELSE '{}' END, '$.labelKeys') EXCEPT SELECT `value` FROM json_each(CASE WHEN json_valid(new.`data`) THEN new.`data` ELSE '{}' END, '$.labelKeys')) AND `owner` = old.`object`;
	INSERT INTO `product_labels` (`merchant_id`, `test_mode`, `label`, `owner`)
		SELECT DISTINCT new.`merchant_id`, new.`test_mode`, `named`.`value`, new.`object` FROM json_each(CASE WHEN json_valid(new.`data`) THEN new.`data` ELSE '{}' END, '$.labelKeys') AS `named`
		WHERE `named`.`type` = 'text' AND NOT EXISTS (SELECT 1 FROM `product_labels` WHERE `merchant_id` = new.`merchant_id`
			AND `test_mode` = new.`test_mode` AND `label` = `named`.`value` AND `owner` = new.`object`);
END;
--> statement-breakpoint
CREATE TRIGGER `details_label_delete` AFTER DELETE ON `details`
	WHEN old.`resource` = 'products' AND instr(old.`data`, '"labelKeys"') > 0 BEGIN
	DELETE FROM `product_labels` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode`
		AND `label` IN (SELECT `value` FROM json_each(CASE WHEN json_valid(old.`data`) THEN old.`data` ELSE '{}' END, '$.labelKeys')) AND `owner` = old.`object`;
END;
