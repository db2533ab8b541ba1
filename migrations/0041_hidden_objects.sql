CREATE INDEX `modifiers_hidden` ON `modifiers` (`merchant_id`,`test_mode`,`id`) WHERE "modifiers"."test_mode" > 1;
--> statement-breakpoint
CREATE INDEX `products_hidden` ON `products` (`merchant_id`,`test_mode`,`id`) WHERE "products"."test_mode" > 1;
