ALTER TABLE `merchants` ADD `language` text;
--> statement-breakpoint
ALTER TABLE `merchants` ADD `logo` text;
--> statement-breakpoint
ALTER TABLE `merchants` ADD `color` text;
--> statement-breakpoint
ALTER TABLE `merchants` ADD `address` text CONSTRAINT "merchants_address" CHECK(json_type("merchants"."address") = 'object');
--> statement-breakpoint
ALTER TABLE `merchants` ADD `phone` text;
--> statement-breakpoint
ALTER TABLE `merchants` ADD `website` text;
--> statement-breakpoint
ALTER TABLE `merchants` ADD `opening_hours` text CONSTRAINT "merchants_opening_hours" CHECK(json_type("merchants"."opening_hours") = 'array');
