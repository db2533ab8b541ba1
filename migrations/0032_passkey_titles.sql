ALTER TABLE `passkeys` ADD `title` text;
