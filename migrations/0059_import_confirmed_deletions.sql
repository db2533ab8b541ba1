ALTER TABLE `imports` ADD `confirm_deletes` integer;
