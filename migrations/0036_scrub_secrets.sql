ALTER TABLE `backups` ADD `scrub_at` integer DEFAULT 0;
--> statement-breakpoint
CREATE INDEX `backups_scrub` ON `backups` (`scrub_at`) WHERE "backups"."scrub_at" is not null;
--> statement-breakpoint
CREATE INDEX `events_secrets` ON `events` (`merchant_id`,`test_mode`,`id`) WHERE "events"."type" = 'webhook.updated' and instr("events"."previous", '"secrets"') > 0;
--> statement-breakpoint
CREATE INDEX `webhooks_retired` ON `webhooks` (`id`) WHERE instr("webhooks"."secrets", '"retiredAt"') > 0;
