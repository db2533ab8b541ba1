CREATE TABLE `service_states` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`paused_until` integer,
	`message` text,
	`prep_minutes` integer,
	PRIMARY KEY(`merchant_id`, `test_mode`)
);
--> statement-breakpoint
CREATE INDEX `service_states_until` ON `service_states` (`paused_until`);
