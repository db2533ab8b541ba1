ALTER TABLE `merchants` ADD `prices_include_tax` integer DEFAULT true NOT NULL CONSTRAINT "merchants_prices_include_tax" CHECK("merchants"."prices_include_tax" in (0, 1));
--> statement-breakpoint
ALTER TABLE `merchants` ADD `tax_rate` real DEFAULT 0 NOT NULL CONSTRAINT "merchants_tax_rate" CHECK(typeof("merchants"."tax_rate") in ('integer', 'real'));
--> statement-breakpoint
ALTER TABLE `merchants` ADD `tax_rounding` text DEFAULT 'rate' NOT NULL CONSTRAINT "merchants_tax_rounding" CHECK("merchants"."tax_rounding" in ('rate', 'line'));
--> statement-breakpoint
ALTER TABLE `merchants` ADD `day_starts_at` text DEFAULT '0400' NOT NULL CONSTRAINT "merchants_day_starts_at" CHECK("merchants"."day_starts_at" glob '[0-2][0-9][0-5][0-9]' and "merchants"."day_starts_at" < '2400');
