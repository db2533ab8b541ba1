CREATE TABLE `coupon_code_batches` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`coupon` text NOT NULL,
	`count` integer NOT NULL,
	`prefix` text,
	`created_at` integer NOT NULL,
	`gone_at` integer,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "coupon_code_batches_count" CHECK("coupon_code_batches"."count" >= 1)
);
--> statement-breakpoint
CREATE INDEX `coupon_code_batches_coupon` ON `coupon_code_batches` (`merchant_id`,`test_mode`,`coupon`,`id`);
--> statement-breakpoint
CREATE INDEX `coupon_code_batches_gone` ON `coupon_code_batches` (`gone_at`) WHERE "coupon_code_batches"."gone_at" is not null;
--> statement-breakpoint
CREATE TABLE `coupon_codes` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`code_key` text NOT NULL,
	`code` text NOT NULL,
	`coupon` text NOT NULL,
	`batch` text NOT NULL,
	`redemption` text,
	PRIMARY KEY(`merchant_id`, `test_mode`, `code_key`)
);
--> statement-breakpoint
CREATE INDEX `coupon_codes_batch` ON `coupon_codes` (`merchant_id`,`test_mode`,`batch`,`code_key`);
--> statement-breakpoint
ALTER TABLE `coupon_limits` ADD `codes_only` integer;
--> statement-breakpoint
INSERT INTO `purges` (`name`, `due_at`) VALUES ('coupon_codes', 0), ('coupon_code_batches', 0);
--> statement-breakpoint
CREATE TRIGGER `coupons_codes_delete` AFTER DELETE ON `coupons` BEGIN
	UPDATE `coupon_code_batches` SET `gone_at` = unixepoch()
		WHERE `merchant_id` = old.`merchant_id` AND `test_mode` = old.`test_mode` AND `coupon` = old.`id`;
	UPDATE `purges` SET `due_at` = 0 WHERE changes() > 0 AND `name` IN ('coupon_codes', 'coupon_code_batches');
END;
--> statement-breakpoint
CREATE TRIGGER `coupons_code_insert` BEFORE INSERT ON `coupons`
WHEN EXISTS (
	SELECT 1 FROM `coupon_codes` AS `taken` JOIN `coupons` AS `owner`
		ON `owner`.`merchant_id` = `taken`.`merchant_id` AND `owner`.`test_mode` = `taken`.`test_mode` AND `owner`.`id` = `taken`.`coupon`
	WHERE `taken`.`merchant_id` = new.`merchant_id` AND `taken`.`test_mode` = new.`test_mode` AND `taken`.`code_key` = new.`code_key`
) BEGIN
	SELECT raise(ABORT, 'UNIQUE constraint failed: coupons.merchant_id, coupons.test_mode, coupons.code_key');
END;
--> statement-breakpoint
CREATE TRIGGER `coupons_code_update` BEFORE UPDATE OF `code_key` ON `coupons`
WHEN old.`code_key` <> new.`code_key` AND EXISTS (
	SELECT 1 FROM `coupon_codes` AS `taken` JOIN `coupons` AS `owner`
		ON `owner`.`merchant_id` = `taken`.`merchant_id` AND `owner`.`test_mode` = `taken`.`test_mode` AND `owner`.`id` = `taken`.`coupon`
	WHERE `taken`.`merchant_id` = new.`merchant_id` AND `taken`.`test_mode` = new.`test_mode` AND `taken`.`code_key` = new.`code_key`
) BEGIN
	SELECT raise(ABORT, 'UNIQUE constraint failed: coupons.merchant_id, coupons.test_mode, coupons.code_key');
END;
