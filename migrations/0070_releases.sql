CREATE TABLE `release_operations` (
	`release_id` text NOT NULL,
	`path` text NOT NULL,
	`target` text NOT NULL,
	`merchant_id` text NOT NULL,
	`verb` text NOT NULL,
	`external_id` text,
	`title` text,
	`parts` text NOT NULL,
	`base` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`release_id`, `target`),
	FOREIGN KEY (`release_id`) REFERENCES `releases`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `releases` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`title` text NOT NULL,
	`note` text,
	`state` text NOT NULL,
	`publish_at` integer,
	`version` integer NOT NULL,
	`changes` integer NOT NULL,
	`bytes` integer NOT NULL,
	`author` text NOT NULL,
	`scheduled_by` text,
	`base_url` text,
	`published_at` integer,
	`published_by` text,
	`change_set` text,
	`failure` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "releases_version" CHECK("releases"."version" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `releases_id` ON `releases` (`id`);
--> statement-breakpoint
CREATE INDEX `releases_due` ON `releases` (`publish_at`,`id`) WHERE "releases"."state" = 'scheduled';
--> statement-breakpoint
-- Without its row, no run purges this table.
INSERT OR IGNORE INTO `purges` (`name`, `due_at`) VALUES ('releases', 0);
