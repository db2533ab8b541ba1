ALTER TABLE `merchants` ADD `destination_hosts` text CONSTRAINT "merchants_destination_hosts" CHECK(json_type("merchants"."destination_hosts") = 'array');
--> statement-breakpoint
CREATE TRIGGER `tags_details_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM `details` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'tags' AND `object` = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `tags_translations_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM `translations` WHERE `merchant_id` = old.merchant_id AND `test_mode` = old.test_mode AND `resource` = 'tags' AND `object` = old.seq;
END;

--> statement-breakpoint
-- A live key moves a tag between the modes. Its details follow.
CREATE TRIGGER `tags_details_mode` AFTER UPDATE OF `test_mode` ON `tags` WHEN old.`test_mode` <> new.`test_mode` BEGIN
	UPDATE `details` SET `test_mode` = new.`test_mode` WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode` AND `resource` = 'tags' AND `object` = old.`seq`;
END;
