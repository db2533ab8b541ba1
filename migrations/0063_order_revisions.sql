ALTER TABLE `orders` ADD `revision` integer;
--> statement-breakpoint
ALTER TABLE `orders` ADD `revision_hash` text;
--> statement-breakpoint
ALTER TABLE `orders` ADD `released` text;
