INSERT INTO subscriptions (id, msisdn, svc_id, state, since) VALUES (1, '27821110001', 150, 'active', '2025-12-31 10:00:00');
INSERT INTO ledger (id, subscription_id, network, day, kind, cents, status, charge_key, network_ref, attempts, failures, pass, reason, at, refund_of, made_by)
VALUES (7, 1, 'a', '2025-12-31', 'charge', 300, 'settled', 'k7', 'n7', 1, 0, 4, '', '2025-12-31 10:00:00', NULL, ''),
       (8, 1, 'a', '2026-01-01', 'charge', 300, 'failed', 'k8', NULL, 3, 3, 7, 'insufficient funds', '2026-01-01 16:00:00', NULL, ''),
       (9, 1, 'a', '2026-02-02', 'refund', 300, 'pending', 'refund-k7', NULL, 0, 0, 0, 'why not', '2026-02-02 08:00:00', 7, 'someone');
INSERT INTO ledger (id, subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, claim, sent_at, reason, at, asked, ask_at)
VALUES (12, 1, 'a', '2026-02-28', 'charge', 300, 'unknown', 'k12', 1, 0, 9, NULL, '2026-02-28 04:00:00', '', '2026-02-28 04:00:00', 5, '2026-03-01 00:00:00'),
       (13, 1, 'a', '2026-03-31', 'charge', 300, 'pending', 'k13', 1, 0, 9, 'token', '2026-03-31 04:00:00', '', '2026-03-31 04:00:00', 0, NULL);
INSERT INTO events (id, subscription_id, at, from_state, to_state, cause, evidence)
VALUES (3, 1, '2025-12-31 23:59:59.999999', NULL, 'pending', 'joined', '{}'), (4, 1, '2026-01-01 00:00:00', 'pending', 'active', 'confirmed', '{"a": 1}');
