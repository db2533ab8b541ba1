CREATE TABLE `platform_backlogs` (
	`webhook` integer NOT NULL,
	`merchant_id` text NOT NULL,
	`parked` integer NOT NULL,
	PRIMARY KEY(`webhook`, `merchant_id`),
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `platform_backlogs_parked` ON `platform_backlogs` (`webhook`,`merchant_id`) WHERE "platform_backlogs"."parked";
--> statement-breakpoint
CREATE INDEX `platform_backlogs_merchant` ON `platform_backlogs` (`merchant_id`);
--> statement-breakpoint
CREATE TABLE `platform_webhooks` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`merchants` text,
	`active` integer NOT NULL,
	`disabled_reason` text,
	`bearer_token` text NOT NULL,
	`secrets` text NOT NULL,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`probe_at` integer,
	`filter` text,
	`filter_version` integer NOT NULL,
	`shape` integer,
	`shapes` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "platform_webhooks_events" CHECK(json_type("platform_webhooks"."events") = 'array'),
	CONSTRAINT "platform_webhooks_merchants" CHECK(json_type("platform_webhooks"."merchants") = 'array'),
	CONSTRAINT "platform_webhooks_secrets" CHECK(json_type("platform_webhooks"."secrets") = 'array')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `platform_webhooks_id` ON `platform_webhooks` (`id`);
--> statement-breakpoint
ALTER TABLE `deliveries` ADD `merchant_id` text;

--> statement-breakpoint
CREATE TRIGGER `platform_webhooks_list_insert` AFTER INSERT ON `platform_webhooks` BEGIN
	INSERT OR REPLACE INTO `settings` (`name`, `value`) VALUES ('platform_webhooks', (
		SELECT json_group_array(json_object(
			'number', `seq`, 'types', json(`events`), 'merchants', json(`merchants`), 'filter', `filter`, 'shape', `shape`,
			'slow', `failures` >= 3, 'dueAt', iif(`failures` >= 10, 253402300798, 0)))
		FROM `platform_webhooks` WHERE `active`));
END;
--> statement-breakpoint
CREATE TRIGGER `platform_webhooks_list_update` AFTER UPDATE ON `platform_webhooks`
	WHEN new.`active` <> old.`active` OR new.`version` <> old.`version` OR new.`filter_version` <> old.`filter_version`
		OR (new.`failures` >= 3) <> (old.`failures` >= 3) OR (new.`failures` >= 10) <> (old.`failures` >= 10) BEGIN
	INSERT OR REPLACE INTO `settings` (`name`, `value`) VALUES ('platform_webhooks', (
		SELECT json_group_array(json_object(
			'number', `seq`, 'types', json(`events`), 'merchants', json(`merchants`), 'filter', `filter`, 'shape', `shape`,
			'slow', `failures` >= 3, 'dueAt', iif(`failures` >= 10, 253402300798, 0)))
		FROM `platform_webhooks` WHERE `active`));
END;
--> statement-breakpoint
CREATE TRIGGER `platform_webhooks_list_delete` AFTER DELETE ON `platform_webhooks` BEGIN
	INSERT OR REPLACE INTO `settings` (`name`, `value`) VALUES ('platform_webhooks', (
		SELECT json_group_array(json_object(
			'number', `seq`, 'types', json(`events`), 'merchants', json(`merchants`), 'filter', `filter`, 'shape', `shape`,
			'slow', `failures` >= 3, 'dueAt', iif(`failures` >= 10, 253402300798, 0)))
		FROM `platform_webhooks` WHERE `active`));
END;
