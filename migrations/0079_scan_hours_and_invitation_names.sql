CREATE TABLE `scan_hours` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`day` text NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `day`),
	CONSTRAINT "scan_hours_mode" CHECK("scan_hours"."test_mode" in (0, 1)),
	CONSTRAINT "scan_hours_counts" CHECK(json_type("scan_hours"."counts") = 'array')
);
--> statement-breakpoint
ALTER TABLE `invitations` ADD `name` text;
