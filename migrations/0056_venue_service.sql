ALTER TABLE `merchants` ADD `closures` text CONSTRAINT "merchants_closures" CHECK(json_type("merchants"."closures") = 'array');
--> statement-breakpoint
ALTER TABLE `merchants` ADD `special_hours` text CONSTRAINT "merchants_special_hours" CHECK(json_type("merchants"."special_hours") = 'array');
--> statement-breakpoint
ALTER TABLE `merchants` ADD `hours_close` integer DEFAULT false NOT NULL CONSTRAINT "merchants_hours_close" CHECK("merchants"."hours_close" in (0, 1));
