ALTER TABLE `merchants` ADD `theme` text;
