ALTER TABLE `import_chunks` ADD `matches` text DEFAULT '{}' NOT NULL;
