CREATE TABLE `import_chunks` (
	`import_id` text NOT NULL,
	`position` integer NOT NULL,
	`merchant_id` text NOT NULL,
	`resource` text NOT NULL,
	`rows` text NOT NULL,
	`file_ids` text NOT NULL,
	`external_ids` text NOT NULL,
	`object_ids` text NOT NULL,
	`faulty` integer NOT NULL,
	PRIMARY KEY(`import_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `import_issues` (
	`import_id` text NOT NULL,
	`id` text NOT NULL,
	`merchant_id` text NOT NULL,
	`row` integer NOT NULL,
	`column` text,
	`pointer` text,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`value` text,
	PRIMARY KEY(`import_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `import_issues_row` ON `import_issues` (`import_id`,`row`);
--> statement-breakpoint
CREATE TABLE `imports` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`id` text NOT NULL,
	`resource` text,
	`resources` text NOT NULL,
	`format` text NOT NULL,
	`match` text NOT NULL,
	`delete_missing` integer NOT NULL,
	`auto_apply` integer NOT NULL,
	`state` text NOT NULL,
	`broken` integer NOT NULL,
	`has_unreadable_row` integer NOT NULL,
	`header` text,
	`delimiter` text,
	`rows` integer NOT NULL,
	`checked` integer NOT NULL,
	`applied` integer NOT NULL,
	`created` integer NOT NULL,
	`updated` integer NOT NULL,
	`unchanged` integer NOT NULL,
	`deleted` integer NOT NULL,
	`failed` integer NOT NULL,
	`step` integer NOT NULL,
	`next_chunk` integer NOT NULL,
	`next_row` integer NOT NULL,
	`deleting` integer NOT NULL,
	`deleted_through` integer NOT NULL,
	`actor` text NOT NULL,
	`request_id` text,
	`base_url` text,
	`own_hosts` text NOT NULL,
	`queued_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `id`),
	CONSTRAINT "imports_step" CHECK("imports"."step" >= 0)
);
--> statement-breakpoint
CREATE INDEX `imports_id` ON `imports` (`id`);
--> statement-breakpoint
CREATE INDEX `imports_open` ON `imports` (`state`,`updated_at`) WHERE "imports"."state" in ('uploading', 'checking', 'applying');
