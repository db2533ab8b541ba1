ALTER TABLE `imports` ADD `set_counters` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `imports` ADD `differing` text DEFAULT '{}' NOT NULL;
