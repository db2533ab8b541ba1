ALTER TABLE `merchants` ADD `suspended_at` integer;
--> statement-breakpoint
ALTER TABLE `merchants` ADD `closed_at` integer;
--> statement-breakpoint
ALTER TABLE `merchants` ADD `deletes_at` integer;
