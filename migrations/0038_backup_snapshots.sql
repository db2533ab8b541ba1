CREATE TABLE `backup_captures` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`merchant_id` text NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `backup_captures_merchant` ON `backup_captures` (`merchant_id`);
--> statement-breakpoint
CREATE TABLE `backup_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`capture` integer NOT NULL,
	`entry` text NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `backup_changes_capture` ON `backup_changes` (`capture`,`number`);
--> statement-breakpoint
ALTER TABLE `backups` ADD `sha256` text;
--> statement-breakpoint
ALTER TABLE `backups` ADD `checked_at` integer;
--> statement-breakpoint
ALTER TABLE `backups` ADD `damage` text;
--> statement-breakpoint
ALTER TABLE `restores` ADD `attempts` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `restores` ADD `reason` text;
