-- WITHOUT ROWID, which drizzle cannot say: one row written for each delivery and event instead of two.
CREATE TABLE `deliveries` (
	`webhook` integer NOT NULL,
	`event` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempt` integer NOT NULL,
	`base` integer NOT NULL,
	`most` integer NOT NULL,
	`slow` integer NOT NULL,
	`leased_until` integer NOT NULL,
	`attempts` text NOT NULL,
	PRIMARY KEY(`webhook`, `event`),
	CONSTRAINT "deliveries_state" CHECK("deliveries"."state" in ('pending', 'delivered', 'failed', 'cancelled')),
	CONSTRAINT "deliveries_attempts" CHECK(json_type("deliveries"."attempts") = 'array')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`due_at`,`webhook`) WHERE "deliveries"."state" = 'pending';--> statement-breakpoint
CREATE TABLE `events` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`version` integer NOT NULL,
	`at` integer NOT NULL,
	`row` text NOT NULL,
	`previous` text,
	`base_url` text,
	`payload` text,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `events_seq` ON `events` (`merchant_id`,`test_mode`,`seq`);