CREATE TABLE `erasures` (
	`merchant_id` text NOT NULL,
	`customer_hash` text NOT NULL,
	`erased_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `customer_hash`)
);
--> statement-breakpoint
ALTER TABLE `events` ADD `erased_at` integer;
--> statement-breakpoint
CREATE INDEX `events_erased` ON `events` (`merchant_id`,`test_mode`,`id`) WHERE "events"."erased_at" is not null;
--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `merchant_id` text;
--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `subjects` text;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_subjects` ON `idempotency_keys` (`merchant_id`) WHERE coalesce("idempotency_keys"."subjects", "idempotency_keys"."computed") is not null;
