-- Who ended it: 'network' by its own notification, 'us' by telling the network to stop.
ALTER TABLE holds ADD COLUMN ended_by TEXT NOT NULL DEFAULT '';
