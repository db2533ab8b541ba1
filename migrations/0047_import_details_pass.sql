ALTER TABLE `imports` ADD `details_pass` text DEFAULT 'first' NOT NULL;
