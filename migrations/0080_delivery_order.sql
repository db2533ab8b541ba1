ALTER TABLE `deliveries` ADD `subject` text;
--> statement-breakpoint
ALTER TABLE `deliveries` ADD `sequence` integer;
--> statement-breakpoint
CREATE INDEX `deliveries_subject` ON `deliveries` (`webhook`,`subject`,`sequence`) WHERE "deliveries"."subject" is not null and "deliveries"."state" = 'pending';

--> statement-breakpoint
CREATE TRIGGER `deliveries_order_insert` AFTER INSERT ON `deliveries` WHEN new.`subject` IS NOT NULL AND new.`state` = 'pending' BEGIN
	UPDATE `deliveries` SET `due_at` = 253402300799
		WHERE `webhook` = new.`webhook` AND `subject` = new.`subject` AND `state` = 'pending' AND `sequence` >= new.`sequence`
			AND `attempt` = 0 AND `due_at` <> 253402300799 AND (`sequence` > new.`sequence` OR EXISTS (
				SELECT 1 FROM `deliveries` AS `earlier` WHERE `earlier`.`webhook` = new.`webhook` AND `earlier`.`subject` = new.`subject`
					AND `earlier`.`state` = 'pending' AND `earlier`.`sequence` < new.`sequence`));
END;
--> statement-breakpoint
CREATE TRIGGER `deliveries_order_resume` AFTER UPDATE OF `state` ON `deliveries`
	WHEN new.`subject` IS NOT NULL AND new.`state` = 'pending' AND old.`state` <> 'pending' BEGIN
	UPDATE `deliveries` SET `due_at` = 253402300799
		WHERE `webhook` = new.`webhook` AND `subject` = new.`subject` AND `state` = 'pending' AND `sequence` >= new.`sequence`
			AND `leased_until` = 0 AND `due_at` <> 253402300799 AND (`sequence` > new.`sequence` OR EXISTS (
				SELECT 1 FROM `deliveries` AS `earlier` WHERE `earlier`.`webhook` = new.`webhook` AND `earlier`.`subject` = new.`subject`
					AND `earlier`.`state` = 'pending' AND `earlier`.`sequence` < new.`sequence`));
END;
--> statement-breakpoint
CREATE TRIGGER `deliveries_order_end` AFTER UPDATE OF `state` ON `deliveries`
	WHEN old.`subject` IS NOT NULL AND old.`state` = 'pending' AND new.`state` <> 'pending' BEGIN
	UPDATE `deliveries` SET `due_at` = `created_at`
		WHERE `webhook` = old.`webhook` AND `due_at` = 253402300799 AND `event` = (
			SELECT `next`.`event` FROM `deliveries` AS `next` WHERE `next`.`webhook` = old.`webhook` AND `next`.`subject` = old.`subject`
				AND `next`.`state` = 'pending' ORDER BY `next`.`sequence` LIMIT 1)
			AND EXISTS (SELECT 1 FROM `webhooks` WHERE `seq` = old.`webhook` AND `active`);
END;
--> statement-breakpoint
CREATE TRIGGER `deliveries_order_delete` AFTER DELETE ON `deliveries` WHEN old.`subject` IS NOT NULL AND old.`state` = 'pending' BEGIN
	UPDATE `deliveries` SET `due_at` = `created_at`
		WHERE `webhook` = old.`webhook` AND `due_at` = 253402300799 AND `event` = (
			SELECT `next`.`event` FROM `deliveries` AS `next` WHERE `next`.`webhook` = old.`webhook` AND `next`.`subject` = old.`subject`
				AND `next`.`state` = 'pending' ORDER BY `next`.`sequence` LIMIT 1)
			AND EXISTS (SELECT 1 FROM `webhooks` WHERE `seq` = old.`webhook` AND `active`);
END;
