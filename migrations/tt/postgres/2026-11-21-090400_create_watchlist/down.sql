DROP TABLE watchlist;
