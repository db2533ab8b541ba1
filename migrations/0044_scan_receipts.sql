ALTER TABLE `scan_counts` ADD `receipts` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `scan_counts` ADD `keeps_receipts` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX `scan_counts_receipts` ON `scan_counts` (`day`) WHERE "scan_counts"."keeps_receipts";
--> statement-breakpoint
INSERT INTO `purges` (`name`, `due_at`) VALUES ('scan_counts', 0);
