DROP INDEX `coupon_products_target`;
--> statement-breakpoint
CREATE INDEX `coupon_products_target` ON `coupon_products` (`target`,`owner`);
--> statement-breakpoint
DROP INDEX `menu_products_target`;
--> statement-breakpoint
CREATE INDEX `menu_products_target` ON `menu_products` (`target`,`owner`);
--> statement-breakpoint
DROP INDEX `product_modifiers_target`;
--> statement-breakpoint
CREATE INDEX `product_modifiers_target` ON `product_modifiers` (`target`,`owner`);
