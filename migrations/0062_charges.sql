CREATE TABLE `charges` (
	`merchant_id` text NOT NULL,
	`test_mode` integer NOT NULL,
	`charges` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `test_mode`),
	CONSTRAINT "charges_charges" CHECK(json_type("charges"."charges") = 'array'),
	CONSTRAINT "charges_version" CHECK("charges"."version" >= 1)
);
