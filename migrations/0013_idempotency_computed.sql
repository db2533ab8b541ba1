ALTER TABLE `idempotency_keys` ADD `computed` text;
