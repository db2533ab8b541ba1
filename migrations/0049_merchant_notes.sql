ALTER TABLE `merchants` ADD `notes` text CONSTRAINT "merchants_notes" CHECK(json_type("merchants"."notes") = 'array');
