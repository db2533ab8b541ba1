CREATE TABLE `gone_webhooks` (
	`webhook` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `purges` (
	`name` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `purges_due` ON `purges` (`due_at`);
--> statement-breakpoint
CREATE INDEX `backup_checks_due` ON `backup_checks` (`checked_at`,`enqueued_at`);
--> statement-breakpoint
CREATE INDEX `backups_taken` ON `backups` (`taken_at`);
--> statement-breakpoint
CREATE TRIGGER `merchants_timed_insert` AFTER INSERT ON `merchants` BEGIN
	INSERT OR IGNORE INTO `purges` (`name`, `due_at`) VALUES (new.`id`, 0);
	INSERT OR IGNORE INTO `backup_checks` (`merchant_id`, `enqueued_at`) VALUES (new.`id`, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `merchants_timed_delete` AFTER DELETE ON `merchants` BEGIN
	DELETE FROM `purges` WHERE `name` = old.`id`;
	DELETE FROM `backup_checks` WHERE `merchant_id` = old.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhooks_gone_delete` AFTER DELETE ON `webhooks` BEGIN
	INSERT OR IGNORE INTO `gone_webhooks` (`webhook`) VALUES (old.`seq`);
END;
--> statement-breakpoint
INSERT INTO `purges` (`name`, `due_at`) SELECT `id`, 0 FROM `merchants`;
--> statement-breakpoint
INSERT INTO `purges` (`name`, `due_at`) VALUES
	('scan_receipts', 0), ('idempotency_keys', 0), ('stock_adjustments', 0), ('imports', 0), ('import_chunks', 0), ('import_issues', 0),
	('sessions', 0), ('operator_sessions', 0), ('invitations', 0), ('used_challenges', 0), ('notices', 0);
--> statement-breakpoint
INSERT OR IGNORE INTO `backup_checks` (`merchant_id`, `enqueued_at`) SELECT `id`, 0 FROM `merchants`;
--> statement-breakpoint
DELETE FROM `backup_checks` WHERE `merchant_id` NOT IN (SELECT `id` FROM `merchants`);
--> statement-breakpoint
WITH RECURSIVE hook(seq) AS (
	SELECT min(`webhook`) FROM `deliveries`
	UNION ALL SELECT (SELECT min(`webhook`) FROM `deliveries` WHERE `webhook` > hook.seq) FROM hook WHERE hook.seq IS NOT NULL
)
INSERT INTO `gone_webhooks` (`webhook`) SELECT seq FROM hook WHERE seq IS NOT NULL AND seq NOT IN (SELECT `seq` FROM `webhooks`);
