-- WITHOUT ROWID, which drizzle cannot say: two rows written for each entry, its index included, instead of three.
CREATE TABLE `audit` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`key` text NOT NULL,
	`request_id` text,
	`operation` text NOT NULL,
	`object` text NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `audit_object` ON `audit` (`merchant_id`,`test_mode`,`object`,`id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`answer` text NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idempotency_keys_id` ON `idempotency_keys` (`id`);
