ALTER TABLE `merchants` ADD `menu_bar` text CONSTRAINT "merchants_menu_bar" CHECK(json_type("merchants"."menu_bar") = 'object');
--> statement-breakpoint
CREATE TABLE `tag_requests` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`tag` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`done_at` integer,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "tag_requests_kind" CHECK("tag_requests"."kind" in ('call', 'bill'))
);
--> statement-breakpoint
CREATE INDEX `tag_requests_at` ON `tag_requests` (`at`);
