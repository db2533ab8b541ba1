ALTER TABLE `keys` ADD `allowed_ips` text CONSTRAINT "keys_allowed_ips" CHECK(json_type("keys"."allowed_ips") = 'array');
