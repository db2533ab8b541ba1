ALTER TABLE `audit` ADD `title` text;
