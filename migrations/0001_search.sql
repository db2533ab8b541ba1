-- Full-text search. Words are cut and folded by src/lib/search-terms.ts; the tokenizer only splits at blanks.
CREATE VIRTUAL TABLE `products_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
--> statement-breakpoint
CREATE TRIGGER `products_search_delete` AFTER DELETE ON `products` BEGIN
	DELETE FROM `products_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `modifiers_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
--> statement-breakpoint
CREATE TRIGGER `modifiers_search_delete` AFTER DELETE ON `modifiers` BEGIN
	DELETE FROM `modifiers_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `menus_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
--> statement-breakpoint
CREATE TRIGGER `menus_search_delete` AFTER DELETE ON `menus` BEGIN
	DELETE FROM `menus_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `coupons_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
--> statement-breakpoint
CREATE TRIGGER `coupons_search_delete` AFTER DELETE ON `coupons` BEGIN
	DELETE FROM `coupons_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `customers_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
--> statement-breakpoint
CREATE TRIGGER `customers_search_delete` AFTER DELETE ON `customers` BEGIN
	DELETE FROM `customers_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `tags_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
--> statement-breakpoint
CREATE TRIGGER `tags_search_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM `tags_search` WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE `webhooks_search` USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
--> statement-breakpoint
CREATE TRIGGER `webhooks_search_delete` AFTER DELETE ON `webhooks` BEGIN
	DELETE FROM `webhooks_search` WHERE rowid = old.seq;
END;
