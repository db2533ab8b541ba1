-- Without its row, no run purged this table.
INSERT OR IGNORE INTO `purges` (`name`, `due_at`) VALUES ('orders', 0);
