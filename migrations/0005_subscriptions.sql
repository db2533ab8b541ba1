-- WITHOUT ROWID, which drizzle cannot say: one row written for each subscription instead of two.
CREATE TABLE `subscriptions` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`type` text NOT NULL,
	`webhook` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`, `type`, `webhook`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `webhooks_subscribe` AFTER INSERT ON `webhooks` WHEN new.active BEGIN
	INSERT INTO `subscriptions` SELECT new.merchant_id, new.test_mode, value, new.seq FROM json_each(new.events);
END;
--> statement-breakpoint
CREATE TRIGGER `webhooks_resubscribe` AFTER UPDATE OF `events`, `active` ON `webhooks` WHEN new.events <> old.events OR new.active <> old.active BEGIN
	DELETE FROM `subscriptions` WHERE merchant_id = old.merchant_id AND test_mode = old.test_mode AND type IN (SELECT value FROM json_each(old.events)) AND webhook = old.seq;
	INSERT INTO `subscriptions` SELECT new.merchant_id, new.test_mode, value, new.seq FROM json_each(new.events) WHERE new.active;
END;
--> statement-breakpoint
CREATE TRIGGER `webhooks_unsubscribe` AFTER DELETE ON `webhooks` BEGIN
	DELETE FROM `subscriptions` WHERE merchant_id = old.merchant_id AND test_mode = old.test_mode AND type IN (SELECT value FROM json_each(old.events)) AND webhook = old.seq;
END;
--> statement-breakpoint
INSERT INTO `subscriptions` SELECT merchant_id, test_mode, value, seq FROM `webhooks`, json_each(events) WHERE active;
