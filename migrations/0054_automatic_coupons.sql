ALTER TABLE `coupon_limits` ADD `days` text;
--> statement-breakpoint
ALTER TABLE `coupon_limits` ADD `begin` text;
--> statement-breakpoint
ALTER TABLE `coupon_limits` ADD `end` text;
--> statement-breakpoint
ALTER TABLE `coupon_limits` ADD `order_types` text;
--> statement-breakpoint
ALTER TABLE `coupons` ADD `automatic` integer;
--> statement-breakpoint
CREATE INDEX `coupons_automatic` ON `coupons` (`merchant_id`,`test_mode`,`seq`) WHERE "coupons"."automatic" = 1;
