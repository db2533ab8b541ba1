CREATE TABLE `home_objects` (
	`object` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`merchant_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `homes` (
	`merchant_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`object` integer,
	`location` text,
	`jurisdiction` text,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "homes_kind" CHECK("homes"."kind" in ('d1', 'object')),
	CONSTRAINT "homes_object" CHECK("homes"."kind" = 'd1' or "homes"."object" is not null)
);
--> statement-breakpoint
ALTER TABLE `tag_names` ADD `merchant_id` text;
--> statement-breakpoint
ALTER TABLE `tag_names` ADD `reserved_at` integer;
--> statement-breakpoint
CREATE INDEX `tag_names_elsewhere` ON `tag_names` (`merchant_id`,`name`) WHERE "tag_names"."tag" is null;
--> statement-breakpoint
CREATE INDEX `tag_names_reserved` ON `tag_names` (`reserved_at`) WHERE "tag_names"."reserved_at" is not null;
--> statement-breakpoint
ALTER TABLE `scan_receipts` ADD `merchant_id` text;
