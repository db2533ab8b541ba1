ALTER TABLE `imports` ADD `mapping` text DEFAULT 'strict' NOT NULL;
--> statement-breakpoint
ALTER TABLE `imports` ADD `reading` text;
--> statement-breakpoint
ALTER TABLE `imports` ADD `revision` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `imports` ADD `planned` text DEFAULT '{}' NOT NULL;
