-- WITHOUT ROWID, which drizzle cannot say: these tables are only ever read by their keys.
CREATE TABLE `scan_counts` (
	`merchant_id` text NOT NULL,
	`tag` text NOT NULL,
	`day` text NOT NULL,
	`channel` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `tag`, `day`, `channel`),
	CONSTRAINT "scan_counts_channel" CHECK("scan_counts"."channel" in ('qr', 'nfc', 'link'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scan_receipts` (
	`id` text PRIMARY KEY NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `tag_names` (
	`name` text PRIMARY KEY NOT NULL,
	`tag` integer,
	FOREIGN KEY (`tag`) REFERENCES `tags`(`seq`) ON UPDATE no action ON DELETE set null
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tag_names_tag` ON `tag_names` (`tag`);--> statement-breakpoint
DROP INDEX `tags_code`;--> statement-breakpoint
ALTER TABLE `tags` ADD `legacy` text;--> statement-breakpoint
INSERT INTO `tag_names` (`name`, `tag`) SELECT `code`, `seq` FROM `tags` UNION ALL SELECT `id`, `seq` FROM `tags`;--> statement-breakpoint
INSERT INTO `settings` (`name`, `value`) VALUES ('signing', lower(hex(randomblob(32))));
