ALTER TABLE `imports` ADD `keep_existing` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `imports` ADD `outcomes` text DEFAULT '{}' NOT NULL;
