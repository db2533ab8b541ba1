ALTER TABLE `merchants` ADD `tax_rates` text CONSTRAINT "merchants_tax_rates" CHECK(json_type("merchants"."tax_rates") = 'object');
--> statement-breakpoint
ALTER TABLE `merchants` ADD `cash_rounding` real CONSTRAINT "merchants_cash_rounding" CHECK(typeof("merchants"."cash_rounding") in ('null', 'integer', 'real'));
