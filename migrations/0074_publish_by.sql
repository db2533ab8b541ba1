ALTER TABLE `merchants` ADD `publish_by` text;
