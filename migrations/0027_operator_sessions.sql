CREATE TABLE `operator_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`user_agent` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_sessions_hash` ON `operator_sessions` (`hash`);
