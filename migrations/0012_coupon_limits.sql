CREATE TABLE `coupon_limits` (
	`coupon` integer PRIMARY KEY NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`max_redemptions` integer,
	`max_redemptions_per_customer` integer,
	`max_discount` real,
	`version` integer NOT NULL,
	FOREIGN KEY (`coupon`) REFERENCES `coupons`(`seq`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "coupon_limits_period" CHECK("coupon_limits"."ends_at" > "coupon_limits"."starts_at"),
	CONSTRAINT "coupon_limits_redemptions" CHECK("coupon_limits"."max_redemptions" >= 1 and "coupon_limits"."max_redemptions_per_customer" >= 1),
	CONSTRAINT "coupon_limits_discount" CHECK(typeof("coupon_limits"."max_discount") in ('integer', 'real', 'null')),
	CONSTRAINT "coupon_limits_version" CHECK("coupon_limits"."version" >= 1)
);
