CREATE TABLE `failed_requests` (
	`merchant_id` text NOT NULL,
	`key_id` text NOT NULL,
	`day` integer NOT NULL,
	`request` text NOT NULL,
	`test_mode` integer NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `key_id`, `day`, `request`),
	CONSTRAINT "failed_requests_mode" CHECK("failed_requests"."test_mode" in (0, 1))
);
--> statement-breakpoint
CREATE INDEX `failed_requests_day` ON `failed_requests` (`day`);
--> statement-breakpoint
INSERT INTO `purges` (`name`, `due_at`) VALUES ('failed_requests', 0);
