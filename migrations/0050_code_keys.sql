ALTER TABLE `coupons` ADD `key_form` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `coupons_old_keys` ON `coupons` (`seq`) WHERE "coupons"."key_form" = 0;
