PRAGMA defer_foreign_keys = ON;
--> statement-breakpoint
CREATE TABLE `__saved_sessions` AS SELECT * FROM `sessions`;
--> statement-breakpoint
DROP TABLE `sessions`;
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`key_id` text,
	`user_id` text,
	`operator_id` text,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`user_agent` text,
	`passkey` text,
	`asserted_at` integer,
	`reason` text,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`key_id`) REFERENCES `keys`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`operator_id`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sessions_subject" CHECK(("sessions"."key_id" is not null) + ("sessions"."user_id" is not null) + ("sessions"."operator_id" is not null) = 1),
	CONSTRAINT "sessions_reason" CHECK(("sessions"."operator_id" is null) = ("sessions"."reason" is null))
);
--> statement-breakpoint
INSERT INTO `sessions` (`id`, `merchant_id`, `key_id`, `user_id`, `hash`, `created_at`, `last_used_at`, `user_agent`, `passkey`, `asserted_at`) SELECT `id`, `merchant_id`, `key_id`, `user_id`, `hash`, `created_at`, `last_used_at`, `user_agent`, `passkey`, `asserted_at` FROM `__saved_sessions`;
--> statement-breakpoint
DROP TABLE `__saved_sessions`;
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_hash` ON `sessions` (`hash`);
--> statement-breakpoint
CREATE INDEX `sessions_list` ON `sessions` (`merchant_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sessions_key` ON `sessions` (`key_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`id`);
--> statement-breakpoint
CREATE INDEX `sessions_operator` ON `sessions` (`operator_id`,`id`);
--> statement-breakpoint
ALTER TABLE `merchants` ADD `support_access` text;
