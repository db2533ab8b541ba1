CREATE TABLE `backup_checks` (
	`merchant_id` text PRIMARY KEY NOT NULL,
	`enqueued_at` integer NOT NULL,
	`checked_at` integer,
	`taken_at` integer,
	`fingerprint` text
);
--> statement-breakpoint
CREATE TABLE `backups` (
	`merchant_id` text NOT NULL,
	`taken_at` integer NOT NULL,
	`bytes` integer,
	`rows` integer,
	PRIMARY KEY(`merchant_id`, `taken_at`)
);
