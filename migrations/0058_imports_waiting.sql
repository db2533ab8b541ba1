DROP INDEX `imports_open`;
--> statement-breakpoint
CREATE INDEX `imports_waiting` ON `imports` (`updated_at`,`state`) WHERE "imports"."state" in ('uploading', 'checking', 'applying');
