ALTER TABLE `scan_counts` ADD `hours` text;
--> statement-breakpoint
ALTER TABLE `scan_counts` ADD `test_mode` integer;
--> statement-breakpoint
CREATE INDEX `scan_counts_hours` ON `scan_counts` (`merchant_id`,`day`) WHERE "scan_counts"."test_mode" is not null;
