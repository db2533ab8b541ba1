CREATE TABLE `notice_marks` (
	`passkey` text NOT NULL,
	`user_id` text NOT NULL,
	`notice` text NOT NULL,
	PRIMARY KEY(`passkey`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notice_marks_user` ON `notice_marks` (`user_id`);
--> statement-breakpoint
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`person` text NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`passkey` text NOT NULL,
	`title` text,
	`session_id` text NOT NULL,
	`venue` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `notices_person` ON `notices` (`person`,`id`);
--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `asserted_at` integer;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `passkey` text;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `asserted_at` integer;
