CREATE TABLE `restores` (
	`merchant_id` text PRIMARY KEY NOT NULL,
	`taken_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`state` text NOT NULL,
	`settled_at` integer NOT NULL,
	`suspended_at` integer,
	`saved_at` integer,
	`lines` integer NOT NULL,
	`omitted` text NOT NULL,
	`leased_until` integer NOT NULL,
	`finished_at` integer,
	CONSTRAINT "restores_state" CHECK("restores"."state" in ('saving', 'deleting', 'loading', 'done')),
	CONSTRAINT "restores_omitted" CHECK(json_type("restores"."omitted") = 'object')
);
