-- Pending deliveries are read by webhook, so that one backlog does not stand in front of another. The name stays: a release before
-- this one names the index in a statement and has to go on working while this one is rolled out or back.
DROP INDEX `deliveries_due`;--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook`,`due_at`) WHERE "deliveries"."state" = 'pending';
