DROP INDEX subscriptions_one_running;
