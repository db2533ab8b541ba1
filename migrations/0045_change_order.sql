DROP INDEX `coupons_updated`;
--> statement-breakpoint
CREATE INDEX `coupons_updated` ON `coupons` (`merchant_id`,`test_mode`,`updated_at`,`id`);
--> statement-breakpoint
DROP INDEX `customers_updated`;
--> statement-breakpoint
CREATE INDEX `customers_updated` ON `customers` (`merchant_id`,`test_mode`,`updated_at`,`id`);
--> statement-breakpoint
DROP INDEX `menus_updated`;
--> statement-breakpoint
CREATE INDEX `menus_updated` ON `menus` (`merchant_id`,`test_mode`,`updated_at`,`id`);
--> statement-breakpoint
DROP INDEX `modifiers_updated`;
--> statement-breakpoint
CREATE INDEX `modifiers_updated` ON `modifiers` (`merchant_id`,`test_mode`,`updated_at`,`id`);
--> statement-breakpoint
DROP INDEX `products_updated`;
--> statement-breakpoint
CREATE INDEX `products_updated` ON `products` (`merchant_id`,`test_mode`,`updated_at`,`id`);
--> statement-breakpoint
DROP INDEX `tags_updated`;
--> statement-breakpoint
DROP INDEX `tags_both_updated`;
--> statement-breakpoint
CREATE INDEX `tags_updated` ON `tags` (`merchant_id`,`test_mode`,`updated_at`,`id`);
--> statement-breakpoint
CREATE INDEX `tags_both_updated` ON `tags` (`merchant_id`,`updated_at`,`id`);
--> statement-breakpoint
DROP INDEX `webhooks_updated`;
--> statement-breakpoint
CREATE INDEX `webhooks_updated` ON `webhooks` (`merchant_id`,`test_mode`,`updated_at`,`id`);
