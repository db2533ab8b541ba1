ALTER TABLE `restores` ADD `compared_at` integer;
