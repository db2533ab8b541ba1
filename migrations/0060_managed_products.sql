DROP INDEX `products_low`;
--> statement-breakpoint
CREATE INDEX `products_low` ON `products` (`merchant_id`,`test_mode`,`id`) WHERE "products"."manage_stock";
--> statement-breakpoint
DROP INDEX `products_out`;
--> statement-breakpoint
CREATE INDEX `products_out` ON `products` (`merchant_id`,`test_mode`,`id`) WHERE "products"."manage_stock" and coalesce("products"."stock_quantity", 0) <= 0;
