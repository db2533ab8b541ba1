ALTER TABLE `deliveries` ADD `shape` integer;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `filter` text;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `filter_version` integer;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `shape` integer;
--> statement-breakpoint
ALTER TABLE `webhooks` ADD `shapes` text;
