CREATE TABLE `import_mappings` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`resource` text NOT NULL,
	`headings` text NOT NULL,
	`choices` text NOT NULL,
	`used_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `resource`, `headings`)
);
--> statement-breakpoint
CREATE INDEX `import_mappings_used` ON `import_mappings` (`merchant_id`,`test_mode`,`used_at`);
