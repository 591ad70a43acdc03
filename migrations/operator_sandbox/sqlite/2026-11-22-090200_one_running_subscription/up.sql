-- Two pages confirmed at once began two; the later one ends as it began.
UPDATE subscriptions SET ended_at = started_at
WHERE ended_at IS NULL
AND id NOT IN (SELECT MIN(id) FROM subscriptions WHERE ended_at IS NULL GROUP BY msisdn, svc_id);

CREATE UNIQUE INDEX subscriptions_one_running ON subscriptions (msisdn, svc_id) WHERE ended_at IS NULL;
