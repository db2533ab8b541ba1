CREATE INDEX `merchants_deletes` ON `merchants` (`deletes_at`) WHERE "merchants"."deletes_at" is not null;
