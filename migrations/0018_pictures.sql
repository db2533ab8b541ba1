CREATE TABLE `pictures` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`digest` text NOT NULL,
	`widths` text NOT NULL,
	`bytes` integer NOT NULL,
	`is_logo` integer NOT NULL,
	`unused_since` integer,
	`check_at` integer NOT NULL,
	`deleting` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `digest`),
	CONSTRAINT "pictures_widths" CHECK(json_type("pictures"."widths") = 'array'),
	CONSTRAINT "pictures_flags" CHECK("pictures"."is_logo" in (0, 1) and "pictures"."deleting" in (0, 1))
);
--> statement-breakpoint
CREATE INDEX `pictures_check` ON `pictures` (`check_at`);
--> statement-breakpoint
CREATE INDEX `pictures_bytes` ON `pictures` (`merchant_id`,`bytes`);
