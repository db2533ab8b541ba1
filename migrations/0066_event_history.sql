ALTER TABLE `events` ADD `object` text;
--> statement-breakpoint
ALTER TABLE `events` ADD `change_set` text;
--> statement-breakpoint
ALTER TABLE `events` ADD `context` text;
--> statement-breakpoint
ALTER TABLE `events` ADD `kept` text;
--> statement-breakpoint
CREATE INDEX `events_object` ON `events` (`merchant_id`,`test_mode`,`object`,`seq`) WHERE "events"."object" is not null;
--> statement-breakpoint
CREATE INDEX `events_change_set` ON `events` (`merchant_id`,`test_mode`,`change_set`,`seq`) WHERE "events"."change_set" is not null;
--> statement-breakpoint
CREATE INDEX `events_kept` ON `events` (`merchant_id`,`test_mode`,`type`,`seq`) WHERE "events"."kept" is not null;
