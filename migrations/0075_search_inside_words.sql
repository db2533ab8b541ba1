-- Objects whose search terms an earlier release wrote get those of this one in the background: the last number that is done, for each resource.
INSERT INTO `counters` (`name`, `value`) SELECT 'search terms coupons', -9007199254740991 WHERE EXISTS (SELECT 1 FROM `coupons`);
--> statement-breakpoint
INSERT INTO `counters` (`name`, `value`) SELECT 'search terms customers', -9007199254740991 WHERE EXISTS (SELECT 1 FROM `customers`);
--> statement-breakpoint
INSERT INTO `counters` (`name`, `value`) SELECT 'search terms menus', -9007199254740991 WHERE EXISTS (SELECT 1 FROM `menus`);
--> statement-breakpoint
INSERT INTO `counters` (`name`, `value`) SELECT 'search terms modifiers', -9007199254740991 WHERE EXISTS (SELECT 1 FROM `modifiers`);
--> statement-breakpoint
INSERT INTO `counters` (`name`, `value`) SELECT 'search terms products', -9007199254740991 WHERE EXISTS (SELECT 1 FROM `products`);
--> statement-breakpoint
INSERT INTO `counters` (`name`, `value`) SELECT 'search terms tags', -9007199254740991 WHERE EXISTS (SELECT 1 FROM `tags`);
--> statement-breakpoint
INSERT INTO `counters` (`name`, `value`) SELECT 'search terms webhooks', -9007199254740991 WHERE EXISTS (SELECT 1 FROM `webhooks`);
--> statement-breakpoint
INSERT INTO `counters` (`name`, `value`) SELECT 'search terms #since', 0 WHERE EXISTS (SELECT 1 FROM `counters` WHERE `name` > 'search terms ' AND `name` < 'search terms ~');
