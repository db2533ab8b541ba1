CREATE TABLE `change_sets` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`actor` text NOT NULL,
	`name` text,
	`created` integer NOT NULL,
	`updated` integer NOT NULL,
	`deleted` integer NOT NULL,
	`state` text NOT NULL,
	`undone_by` text,
	`undoes` text,
	`progress` text,
	`step` integer DEFAULT 0 NOT NULL,
	`conflicts` text,
	`conflict_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "change_sets_step" CHECK("change_sets"."step" >= 0)
);
--> statement-breakpoint
CREATE INDEX `change_sets_name` ON `change_sets` (`merchant_id`,`test_mode`,`name`,`actor`) WHERE "change_sets"."name" is not null;
--> statement-breakpoint
CREATE INDEX `change_sets_undoing` ON `change_sets` (`updated_at`) WHERE "change_sets"."progress" is not null;
