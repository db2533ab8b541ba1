ALTER TABLE `imports` ADD `details_state` text DEFAULT 'none' NOT NULL;
