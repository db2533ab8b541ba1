CREATE TABLE `platform_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`title` text NOT NULL,
	`scopes` text NOT NULL,
	`allowed_ips` text,
	`last4` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	CONSTRAINT "platform_keys_allowed_ips" CHECK(json_type("platform_keys"."allowed_ips") = 'array'),
	CONSTRAINT "platform_keys_scopes" CHECK(json_type("platform_keys"."scopes") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `platform_keys_hash` ON `platform_keys` (`hash`);
