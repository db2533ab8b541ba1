-- What can be sent again, found without reading what was delivered.
CREATE INDEX `deliveries_lost` ON `deliveries` (`webhook`,`event`) WHERE "deliveries"."state" in ('failed', 'cancelled');
