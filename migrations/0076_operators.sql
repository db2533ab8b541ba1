CREATE TABLE `operators` (
	`id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`person` text,
	`invitation_hash` text,
	`invited_until` integer,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`removed_at` integer,
	CONSTRAINT "operators_role" CHECK("operators"."role" in ('admin', 'support'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_email` ON `operators` (`email`);
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_person` ON `operators` (`person`);
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_invitation` ON `operators` (`invitation_hash`);
--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `operator_id` text REFERENCES operators(id);
