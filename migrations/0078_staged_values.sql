CREATE TABLE `staged_values` (
	`merchant_id` text NOT NULL,
	`id` text NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`merchant_id`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staged_values_id` ON `staged_values` (`id`);
--> statement-breakpoint
-- Without its row, no run purges this table.
INSERT OR IGNORE INTO `purges` (`name`, `due_at`) VALUES ('staged_values', 0);
