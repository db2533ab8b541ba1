ALTER TABLE `imports` ADD `failures` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `imports` ADD `failed_at` integer DEFAULT 0 NOT NULL;
