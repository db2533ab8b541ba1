CREATE TABLE `move_changes` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`merchant_id` text NOT NULL,
	`entry` text NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `move_changes_merchant` ON `move_changes` (`merchant_id`,`number`);
--> statement-breakpoint
CREATE TABLE `moves` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`merchant_id` text NOT NULL,
	`state` text NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`position` text,
	`rows` integer DEFAULT 0 NOT NULL,
	`lease` integer DEFAULT 0 NOT NULL,
	`leased_until` integer DEFAULT 0 NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`fenced_ms` integer,
	`reason` text,
	`cleans_at` integer,
	CONSTRAINT "moves_state" CHECK("moves"."state" in ('copying', 'fenced', 'verifying', 'done', 'failed'))
);
--> statement-breakpoint
CREATE INDEX `moves_merchant` ON `moves` (`merchant_id`,`number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `moves_active` ON `moves` (`merchant_id`) WHERE "moves"."state" in ('copying', 'fenced', 'verifying');
--> statement-breakpoint
CREATE INDEX `moves_cleaning` ON `moves` (`cleans_at`) WHERE "moves"."cleans_at" is not null;
--> statement-breakpoint
ALTER TABLE `homes` ADD `moving` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `homes` ADD `fenced_until` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `homes_moving` ON `homes` (`merchant_id`) WHERE "homes"."moving";
