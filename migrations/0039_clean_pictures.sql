ALTER TABLE `pictures` ADD `clean_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `pictures_clean` ON `pictures` (`clean_at`);
